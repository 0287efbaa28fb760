# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A private apt: looks packages up in Debian 12's suites whatever release the
# machine runs, and leaves the machine's own package state alone.  Mirror,
# proxies and keys are those that the machine is set up with.
#
# Needs $cache.  Offers: apt_refresh, apt_version PKG, apt_depends PKG REGEX,
# apt_unpack DIR PKG...

apt_suite=bookworm
# shellcheck disable=SC2154 # the caller's
apt_root=$cache/apt

apt_opts=(
	-o "Dir::Etc::sourcelist=$apt_root/sources.list"
	-o Dir::Etc::sourceparts=/dev/null
	-o "Dir::State::Lists=$apt_root/lists"
	-o "Dir::Cache=$apt_root/cache"
	-o "Dir::State::status=$apt_root/status"
	-o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root
	-o Acquire::Retries=3 -o Acquire::Languages=none -q
)

# The machine's sources name a mirror for the archive and one for security.
apt_sources()
{
	local uri release component main='' security=''
	# shellcheck disable=SC2016 # apt's own variables
	local format='$(REPO_URI) $(RELEASE) $(COMPONENT)'
	while read -r uri release component; do
		case $component:$release in
		main:*-security) security=$uri ;;
		main:*-*) ;;
		main:bookworm | main:trixie | main:forky | main:sid | main:*stable)
			main=$uri ;;
		esac
	done < <(apt-get indextargets --format "$format" 'Created-By: Packages')
	if [ -z "$main" ]; then
		echo "lab: apt has no Debian archive among its sources" >&2
		return 1
	fi
	local key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
	echo "deb $key $main $apt_suite main"
	echo "deb $key $main $apt_suite-updates main"
	if [ -n "$security" ]; then
		echo "deb $key $security $apt_suite-security main"
	fi
}

# Package lists: a day old is new enough.  Without a network, old ones do.
apt_refresh()
{
	mkdir -p "$apt_root"/lists/partial "$apt_root"/cache/archives/partial
	exec 7>"$apt_root/lock"
	flock 7
	: >>"$apt_root/status"
	apt_sources >"$apt_root/sources.new"
	if cmp -s "$apt_root/sources.new" "$apt_root/sources.list" &&
	   [ -n "$(find "$apt_root/stamp" -mtime -1 2>/dev/null)" ]; then
		exec 7>&-
		return 0
	fi
	mv "$apt_root/sources.new" "$apt_root/sources.list"
	if apt-get "${apt_opts[@]}" update >"$apt_root/log" 2>&1; then
		touch "$apt_root/stamp"
	elif [ ! -e "$apt_root/stamp" ]; then
		cat "$apt_root/log" >&2
		return 1
	fi
	exec 7>&-
}

apt_version()
{
	apt-cache "${apt_opts[@]}" show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Version: //p'
}

# The first dependency of package $1 that matches $2: what a metapackage means.
apt_depends()
{
	apt-cache "${apt_opts[@]}" show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Depends: //p' | tr ',' '\n' | sed 's/^ *//; s/ .*//' |
		grep -m1 -Ex "$2"
}

apt_unpack()
{
	local dir=$1 deb
	shift
	mkdir -p "$dir"
	rm -rf "$apt_root/debs.$$"
	mkdir "$apt_root/debs.$$"
	(cd "$apt_root/debs.$$" && apt-get "${apt_opts[@]}" download "$@") \
		>"$apt_root/log" 2>&1 || { cat "$apt_root/log" >&2; return 1; }
	for deb in "$apt_root/debs.$$"/*.deb; do
		dpkg-deb -x "$deb" "$dir"
	done
	rm -rf "$apt_root/debs.$$"
}
