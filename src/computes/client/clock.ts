/** Longest way there and back by which a clock is read. Milliseconds. */
const QUICK_MS = 1_000;

/**
 * Seconds by which the clock of who has answered is ahead of ours, by the Date of the answer (RFC 9110, 6.6.1), which has whole seconds;
 * 0 where both may be the same. null: it says none, or its answer took too long. `sent`, `received`: by our clock, milliseconds.
 */
export const clockAhead = (date: unknown, { sent, received }: { sent: number; received: number }): number | null => {
  const told = typeof date === 'string' ? Date.parse(date) : NaN;
  if (Number.isNaN(told) || received - sent > QUICK_MS) return null;
  // At some moment of that second, by its clock, and between the two by ours.
  const [least, most] = [told - received, told + 1_000 - sent];
  return least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2_000);
};
