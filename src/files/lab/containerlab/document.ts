import { LineCounter, parseDocument } from 'yaml';
import { invalid, type TopologError } from '../../../common/errors.ts';

export const readDocument = (text: string) => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', merge: true, lineCounter, prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw invalid(error.message, { field: 'text' });
  const problemAt = (path: readonly PropertyKey[], problem: string): TopologError =>
    invalid(`${path.map(String).join('.')} ${problem}`, { field: path.map(String).join('.'), problem });
  try {
    return { value: document.toJS() as unknown, problemAt };
  } catch (thrown) {
    if (thrown instanceof ReferenceError)
      throw invalid('the text has aliases that stand for too much', { field: 'text' });
    throw thrown;
  }
};
