import { Argument } from '@commander-js/extra-typings';
import type { AddCommand } from '../context/context.ts';
import { write } from '../output/show.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const help = `
To install it for new shells:
  bash        add to ~/.bashrc:  eval "$(tenant-users completion bash)"
  zsh         add to ~/.zshrc, after compinit:  eval "$(tenant-users completion zsh)"
  fish        tenant-users completion fish > ~/.config/fish/completions/tenant-users.fish
  powershell  add to $PROFILE:  tenant-users completion powershell | Out-String | Invoke-Expression

Examples:
  $ tenant-users completion bash
  $ tenant-users completion fish | source     for the current shell only`;

export const addCompletion: AddCommand = (parent, context) => {
  parent
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', help)
    .action(async (shell) => {
      const { completionScripts } = await import('../completion/scripts.ts');
      await write(context.stdout, completionScripts[shell]);
    });
};
