import { invalid, TopologError } from '../../common/errors.ts';
import type { CheckForm } from '../../common/forms/check.ts';
import { patternProblem } from '../../common/pattern.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';

/**
 * Throws what names the expression, below `at`, that cannot be looked for: the pattern of a console or of an output, the filter of a capture. Where nothing
 * here can read a filter, the look says so.
 */
export const checkExpressions = async (
  { console, capture, exec }: CheckForm,
  at: readonly (string | number)[] = [],
): Promise<void> => {
  const matches = console?.matches ?? exec?.matches;
  const problem = matches === undefined ? null : patternProblem(matches);
  if (problem !== null) {
    const field = [...at, console === undefined ? 'exec' : 'console', 'matches'].join('.');
    throw invalid(`${field}: ${problem}`, { field, errors: [{ field, problem }] });
  }
  if (capture === undefined) return;
  try {
    await checkFilters({ bpf: [capture.filter] });
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    if (error.code === 'engine_missing') return;
    const field = [...at, 'capture', 'filter'].join('.');
    throw TopologError.saying(error.code, error.message, { ...error.details, field });
  }
};
