import { Argument, type Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import { write } from '../output/show.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

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
    .action(async (shell) => {
      const { completionScripts } = await import('../completion/scripts.ts');
      await write(context.stdout, completionScripts[shell]);
    });
}
