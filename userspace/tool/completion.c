// SPDX-License-Identifier: GPL-2.0-only
/* The bash completion, made from the command table. */
#include <stdio.h>

#include "cmd.h"

static void print_opts(const struct opt *o)
{
	for (; o && o->name; o++) {
		printf(" --%s", o->name);
		if (o->letter)
			printf(" -%c", o->letter);
	}
}

static void print_case(const struct cmd *cmd)
{
	printf("\t%s)\n\t\twords=\"%s\"\n\t\topts=\"", cmd->name,
	       cmd->words ? cmd->words : "");
	print_opts(cmd->opts);
	printf("\"\n\t\t;;\n");
}

void print_completion(void)
{
	const struct cmd *cmd;

	printf("# SPDX-License-Identifier: GPL-2.0-only\n"
	       "# bash completion for kecat: made by 'kecat help --completion'\n\n"
	       "_kecat()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} cmd='' words='' opts='' i\n"
	       "\tlocal global=\"");
	print_opts(global_opts);
	printf("\"\n\tlocal commands=\"");
	for (cmd = commands; cmd->name; cmd++)
		printf("%s%s", cmd == commands ? "" : " ", cmd->name);
	printf("\"\n\n"
	       "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	       "\t\tcase ${COMP_WORDS[i]} in\n"
	       "\t\t-m | --master) ((i++)) ;;\n"
	       "\t\t-*) ;;\n"
	       "\t\t*)\n\t\t\tcmd=${COMP_WORDS[i]}\n\t\t\tbreak\n\t\t\t;;\n"
	       "\t\tesac\n\tdone\n"
	       "\tcase $cmd in\n"
	       "\t'') words=$commands ;;\n");
	for (cmd = commands; cmd->name; cmd++)
		print_case(cmd);
	printf("\tesac\n"
	       "\t[ \"$cmd\" = help ] && words=$commands\n"
	       "\tif [[ $cmd == attach || $cmd == doctor ]] && [ -d /sys/class/net ]; then\n"
	       "\t\twords=$(cd /sys/class/net && echo *)\n"
	       "\tfi\n"
	       "\tif [[ $cur == -* ]]; then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$opts $global\" -- \"$cur\")\n"
	       "\telif [ -n \"$words\" ]; then\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	       "\telse\n"
	       "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	       "\tfi\n}\ncomplete -F _kecat kecat\n");
}
