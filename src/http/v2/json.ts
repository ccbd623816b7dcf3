import type { Kind } from '../../actors/kinds.ts';
import type {
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  TemplateRecord,
} from '../../projections/records.ts';
import { memo } from '../../common/memo.ts';
import { computeNodeToWire } from './compute/node-json.ts';
import { drawingToWire } from './drawings/json.ts';
import { linkToWire } from './links/json.ts';
import { type NodeWireOptions, nodeToWire } from './nodes/json.ts';
import { projectToWire } from './projects/json.ts';
import { templateToWire } from './templates/json.ts';

/** Records as JSON text. */
export interface Wire {
  project: (record: ProjectRecord) => string;
  node: (record: NodeRecord) => string;
  link: (record: LinkRecord) => string;
  drawing: (record: DrawingRecord) => string;
  template: (record: TemplateRecord) => string;
  computeNode: (kind: Kind, record: NodeRecord) => string;
}

export const createWire = (options: NodeWireOptions & { compute_id: string }): Wire => ({
  project: remember(projectToWire),
  node: remember((record: NodeRecord) => nodeToWire(record, options)),
  link: remember((record: LinkRecord) => linkToWire(record, options.compute_id)),
  drawing: remember(drawingToWire),
  template: remember((record: TemplateRecord) => templateToWire(record, (token) => options.emit(token))),
  computeNode: computeNodeTexts(options),
});

/** A record is never changed, only replaced: its text holds as long as the object lives. */
const remember = <R extends object>(toWire: (record: R) => unknown): ((record: R) => string) =>
  memo((record) => JSON.stringify(toWire(record)));

const computeNodeTexts = ({ asExisting }: NodeWireOptions): Wire['computeNode'] => {
  const byKind = new WeakMap<Kind, (record: NodeRecord) => string>();
  return (kind, record) => {
    const texts = byKind.get(kind) ?? remember((r: NodeRecord) => computeNodeToWire(kind, r, asExisting));
    byKind.set(kind, texts);
    return texts(record);
  };
};
