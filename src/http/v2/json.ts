import type { Kind } from '../../actors/kinds.ts';
import type {
  ComputeRecord,
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  TemplateRecord,
} from '../../projections/records.ts';
import { memo } from '../../common/memo.ts';
import { computeToJson } from './computes/json.ts';
import { computeNodeToJson } from './compute/node-json.ts';
import { drawingToJson } from './drawings/json.ts';
import { linkToJson } from './links/json.ts';
import { type NodeJsonOptions, nodeToJson } from './nodes/json.ts';
import { projectToJson } from './projects/json.ts';
import { templateToJson } from './templates/json.ts';

/** Records as JSON text. */
export interface RecordJson {
  project: (record: ProjectRecord) => string;
  node: (record: NodeRecord) => string;
  link: (record: LinkRecord) => string;
  drawing: (record: DrawingRecord) => string;
  template: (record: TemplateRecord) => string;
  /** Without its load, which no record has. */
  compute: (record: ComputeRecord) => string;
  computeNode: (kind: Kind, record: NodeRecord) => string;
}

export const createJson = (options: NodeJsonOptions & { compute_id: string }): RecordJson => ({
  project: remember(projectToJson),
  node: remember((record: NodeRecord) => nodeToJson(record, options)),
  link: remember((record: LinkRecord) => linkToJson(record, options.compute_id)),
  drawing: remember(drawingToJson),
  template: remember((record: TemplateRecord) => templateToJson(record, (token) => options.emit(token))),
  compute: remember((record: ComputeRecord) => computeToJson(record, NO_LOAD)),
  computeNode: computeNodeTexts(options),
});

const NO_LOAD = { cpu_usage_percent: null, memory_usage_percent: null };

/** A record is never changed, only replaced: its text holds as long as the object lives. */
const remember = <R extends object>(toRecordJson: (record: R) => unknown): ((record: R) => string) =>
  memo((record) => JSON.stringify(toRecordJson(record)));

const computeNodeTexts = ({ asExisting }: NodeJsonOptions): RecordJson['computeNode'] => {
  const byKind = new WeakMap<Kind, (record: NodeRecord) => string>();
  return (kind, record) => {
    const texts = byKind.get(kind) ?? remember((r: NodeRecord) => computeNodeToJson(kind, r, asExisting));
    byKind.set(kind, texts);
    return texts(record);
  };
};
