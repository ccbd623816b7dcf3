const TASK = /^((?:\s|>)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(?=\]\s)/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Which lines of a Markdown text are tasks, outside of code. */
const taskLines = (lines: readonly string[]): number[] => {
  let fence: string | null = null;
  return lines.flatMap((line, index) => {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return [];
    }
    return fence === null && TASK.test(line) ? [index] : [];
  });
};

/** The text with one of its tasks done, or no longer; null: it has not as many tasks as are shown, so which one is meant is not known. */
export const withTaskTurned = (text: string, which: number, shown: number): string | null => {
  const lines = text.split('\n');
  const tasks = taskLines(lines);
  const at = tasks[which];
  if (at === undefined || tasks.length !== shown) return null;
  lines[at] = (lines[at] ?? '').replace(
    TASK,
    (_, before: string, mark: string) => `${before}${mark === ' ' ? 'x' : ' '}`,
  );
  return lines.join('\n');
};
