import type { LabContext } from '../../context.ts';
import type { Questions } from '../questions.ts';

/** What a look has to see with. */
export interface Eyes {
  context: LabContext;
  questions: Questions;
  projectId: string;
  /** Time to the next look. Milliseconds. */
  everyMs: number;
  signal: AbortSignal;
}
