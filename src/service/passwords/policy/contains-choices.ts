/**
 * Does a text contain one choice of the first place, then one of the second, and so on, at least `shortest`
 * characters together? All combinations are looked for at once, place by place, so that their number, a product,
 * costs nothing.
 */
export function containsChoices(
  text: string,
  choices: readonly (readonly string[])[],
  shortest: number,
): boolean {
  for (let start = 0; start + shortest <= text.length; start += 1) {
    let ends = new Set([start]);
    for (const place of choices) {
      ends = new Set([...ends].flatMap((end) => continuations(text, place, end)));
      if (ends.size === 0) break;
    }
    if ([...ends].some((end) => end - start >= shortest)) return true;
  }
  return false;
}

function continuations(text: string, place: readonly string[], end: number): number[] {
  return place.filter((choice) => text.startsWith(choice, end)).map((choice) => end + choice.length);
}
