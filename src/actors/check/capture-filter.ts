import { TopologError } from '../../common/errors.ts';
import type { CheckForm } from '../../common/forms/check.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';

/** Throws what names the filter of a capture, below `at`. Where nothing here can read it, the look says so. */
export const checkCaptureFilter = async (
  { capture }: CheckForm,
  at: readonly (string | number)[] = [],
): Promise<void> => {
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
