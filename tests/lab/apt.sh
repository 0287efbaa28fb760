# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A private apt: looks packages up in the suite that is asked for, whatever
# release the machine runs, and leaves the machine's own package state alone.
# Mirror, proxies and keys are those that the machine is set up with.
#
# Needs $cache.  Offers: apt_use SUITE, then apt_refresh, apt_version PKG,
# apt_depends PKG REGEX, apt_unpack DIR PKG..., apt_closure DIR PKG...

# apt_use SUITE: bookworm, trixie, or either with -backports, which is looked up
# together with the suite it adds to.  Each has lists of its own.
apt_use()
{
	apt_suite=$1
	# shellcheck disable=SC2154 # the caller's
	apt_root=$cache/apt/$1
	apt_opts=(
		-o "Dir::Etc::sourcelist=$apt_root/sources.list"
		-o Dir::Etc::sourceparts=/dev/null
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
		-o "Dir::State::Lists=$apt_root/lists"
		-o "Dir::Cache=$apt_root/cache"
		-o "Dir::State::status=$apt_root/status"
		-o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root
		-o APT::Install-Recommends=0
		-o Acquire::Retries=3 -o Acquire::Languages=none -q
	)
	# Only backports have to be asked for; naming a suite of another kind would
	# put its security updates behind it.
	case $1 in
	*-backports) apt_opts+=(-o "APT::Default-Release=$1") ;;
	esac
}

# The machine's sources name a mirror for the archive and one for security.
apt_sources()
{
	local uri release component main='' security='' base=${apt_suite%-backports}
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
	echo "deb $key $main $base main"
	echo "deb $key $main $base-updates main"
	if [ -n "$security" ]; then
		echo "deb $key $security $base-security main"
	fi
	if [ "$base" != "$apt_suite" ]; then
		echo "deb $key $main $apt_suite main"
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

# apt_fetch DIR COMMAND PKG...: apt-get COMMAND leaves its .deb files in DIR.
apt_fetch()
{
	local debs=$1
	shift
	rm -rf "$debs"
	mkdir -p "$debs/partial"
	(cd "$debs" && apt-get "${apt_opts[@]}" -o "Dir::Cache::archives=$debs" "$@") \
		>"$debs/log" 2>&1 || { cat "$debs/log" >&2; return 1; }
}

apt_extract()
{
	local debs=$1 dir=$2 deb
	mkdir -p "$dir"
	for deb in "$debs"/*.deb; do
		dpkg-deb -x "$deb" "$dir" || return 1
	done
	rm -rf "$debs"
}

# These packages and nothing they depend on.
apt_unpack()
{
	local dir=$1 debs=$apt_root/debs.$BASHPID
	shift
	apt_fetch "$debs" download "$@" && apt_extract "$debs" "$dir"
}

# These packages and all that they depend on, down to libc: a root directory to
# run them in.  No maintainer script runs.
apt_closure()
{
	local dir=$1 debs=$apt_root/debs.$BASHPID link
	shift
	apt_fetch "$debs" install -y --download-only "$@" &&
		apt_extract "$debs" "$dir" || return 1
	for link in bin sbin lib lib64; do
		[ -e "$dir/$link" ] || ln -s "usr/$link" "$dir/$link"
	done
}
