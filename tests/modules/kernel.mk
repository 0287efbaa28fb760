# SPDX-License-Identifier: GPL-2.0-only
# A kernel's make as far as tests/modules/run goes: Kbuild files, modules in
# subdirectories, functions that nobody has, a .modinfo section.
src := $(or $(dir),$(M))
obj := $(src)
include $(src)/Kbuild

subdirs := $(patsubst %/,$(src)/%,$(filter %/,$(obj-m)))
kos := $(patsubst %.o,$(src)/%.ko,$(filter %.o,$(obj-m)))

modules: $(subdirs) $(kos)

$(subdirs):
	@$(MAKE) dir=$@ modules

define header
#define __init
#define KBUILD_MODNAME MODNAME
#define module_init(f) int init_module(void); int init_module(void) { return f(); }
#define EXPORT_SYMBOL_GPL(f) extern int f##_exported
#define MODULE_INFO(tag, text) \
	static const char info_##tag[] __attribute__((section(".modinfo"), used)) = #tag "=" text
#define MODULE_LICENSE(text) MODULE_INFO(license, text)
#define MODULE_DESCRIPTION(text) MODULE_INFO(description, text)
#define pr_err(...) printk(__VA_ARGS__)
#define ENOPKG 65
int printk(const char *fmt, ...);
endef

objects = $(or $($(basename $(notdir $@))-y),$(basename $(notdir $@)).o)

%.ko: FORCE
	$(file >$(M)/module.h,$(header))
	mkdir -p $(M)/fake/linux && touch $(M)/fake/linux/errno.h && cp $(M)/module.h $(M)/fake/linux/
	cd $(M) && $(CC) -r -nostdlib -I$(M)/fake -DMODNAME='"$(basename $(notdir $@))"' \
		-o $@ $(patsubst $(M)/%,%,$(patsubst %.o,$(src)/%.c,$(objects)))
	if nm -u $@ | grep -q missing; then \
		echo 'ERROR: modpost: "missing" [$@] undefined!'; rm $@; exit 1; fi

FORCE:
.PHONY: modules $(subdirs) FORCE
