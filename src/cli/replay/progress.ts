import type { Progress } from '../../replay/perform.ts';
import { printable } from '../printable.ts';

type Shown = Pick<Progress, 'step' | 'of' | 'current' | 'left_ms'>;

/** A bar that is drawn again and again on one line. */
export interface Bar {
  draw(shown: Shown): void;
  /** Takes the bar away. */
  clear(): void;
}

const WIDTH = 24;

/** `1:05` */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (n: number): string => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

export const barLine = ({ step, of, current, left_ms }: Shown, columns: number): string => {
  const full = of === 0 ? WIDTH : Math.round((Math.max(0, step - 1) / of) * WIDTH);
  const bar = '#'.repeat(full).padEnd(WIDTH, '-');
  const left = left_ms === null ? '' : `  ${duration(left_ms)} left`;
  const head = `[${bar}] ${String(step).padStart(String(of).length)}/${of}${left}  `;
  return `${head}${printable(current)}`.slice(0, Math.max(20, columns - 1));
};

const UP_AND_CLEAR = '\r\u001b[2K';

/** On a terminal one line that changes; elsewhere a line a step. */
export const createBar = (stream: NodeJS.WriteStream): Bar => {
  if (!stream.isTTY)
    return {
      draw: ({ step, of, current }) => void stream.write(`${step}/${of} ${printable(current)}\n`),
      clear: () => undefined,
    };
  return {
    draw: (shown) => void stream.write(`${UP_AND_CLEAR}${barLine(shown, stream.columns)}`),
    clear: () => void stream.write(UP_AND_CLEAR),
  };
};
