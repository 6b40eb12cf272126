interface Named {
  name(): string;
  parent: Named | null;
}

/** Names of a command and its parents, without the program's name: `profiles use`. */
export function commandPath(command: Named): string {
  if (!command.parent?.parent) return command.name();
  return `${commandPath(command.parent)} ${command.name()}`;
}
