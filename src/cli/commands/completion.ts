import { Argument, type Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import { write } from '../output/show.ts';

/**
 * Written here: those of @bomb.sh/tab carry out what a candidate says in bash (`compgen -W` expands `$(…)`), need the
 * package bash-completion, and never offer files there.
 */
const scripts = {
  bash: async () => (await import('../completion/scripts.ts')).bashScript,
  zsh: async () => (await import('../completion/scripts.ts')).zshScript,
  fish: async () => (await import('../completion/scripts.ts')).fishScript,
  powershell: async () => (await import('../completion/scripts.ts')).powershellScript,
};

const shells = Object.keys(scripts) as (keyof typeof scripts)[];

/** tenant-users completion */
export function addCompletion(parent: Command, context: CommandContext): void {
  parent
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
To install it for new shells:
  bash        add to ~/.bashrc:  eval "$(tenant-users completion bash)"
  zsh         add to ~/.zshrc, after compinit:  eval "$(tenant-users completion zsh)"
  fish        tenant-users completion fish > ~/.config/fish/completions/tenant-users.fish
  powershell  add to $PROFILE:  tenant-users completion powershell | Out-String | Invoke-Expression

Examples:
  $ tenant-users completion bash
  $ tenant-users completion fish | source     for the current shell only`,
    )
    .action(async (shell) => write(context.stdout, await scripts[shell]()));
}
