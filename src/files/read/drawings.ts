import { DRAWING } from '../../model/drawing.ts';
import * as f from '../fields/field-table.ts';
import { identities } from '../fields/identity.ts';
import { isBag, quoted } from '../fields/json.ts';
import type { ParsedDrawing } from './parsed.ts';

export const DRAWING_FIELDS = f.readersOf(DRAWING);

export const DRAWING_DERIVED = ['drawing_id', 'project_id'];

export interface ReadDrawings {
  drawings: ParsedDrawing[];
  /** Elements as they were in the file. */
  rejected: unknown[];
  warnings: string[];
}

export const readDrawings = (list: readonly unknown[], isCurrent: boolean, newId: () => string): ReadDrawings => {
  const identify = identities('drawing_id', newId);
  const drawings: ParsedDrawing[] = [];
  const rejected: unknown[] = [];
  const warnings: string[] = [];
  for (const [index, raw] of list.entries()) {
    const where = `Drawing ${index + 1} of the file`;
    if (!isBag(raw) || typeof raw.svg !== 'string') {
      rejected.push(raw);
      const svg = isBag(raw) ? `svg must be a text, not ${quoted(raw.svg)}` : `it is ${quoted(raw)}, not an object`;
      warnings.push(`${where} was left out: ${svg}`);
      continue;
    }
    const { id, reason } = identify(raw.drawing_id);
    const { values, wrong, extra } = f.readFields(raw, DRAWING_FIELDS, DRAWING_DERIVED);
    drawings.push({ ...values, drawing_id: id, extra, given: isCurrent ? raw : null });
    warnings.push(...[...(reason === null ? [] : [reason]), ...wrong].map((text) => `${where}: ${text}`));
  }
  return { drawings, rejected, warnings };
};
