import { memo } from '../../common/memo.ts';
import { hidden } from '../../common/lab-secrets/texts.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type {
  ComputeRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  TemplateRecord,
} from '../../projections/records.ts';
import type { RecordJson } from '../api.ts';
import { computeNodeToJson } from './compute/nodes.ts';
import { type ComputeJsonOptions, computeToJson } from './computes/compute-record.ts';
import { drawingToJson } from './drawings.ts';
import { linkToJson } from './links/json.ts';
import { type NodeJsonOptions, nodeToJson } from './nodes/nodes.ts';
import { projectToJson } from './projects/projects.ts';
import { templateToJson } from './templates.ts';

interface Options extends Omit<NodeJsonOptions, 'hosts'>, ComputeJsonOptions {
  compute_id: string;
  /** Computes that are not this server. */
  computes(): readonly Pick<ComputeRecord, 'compute_id' | 'host'>[];
}

export const createJson = (options: Options): RecordJson => {
  const node = nodeTexts(options);
  return {
    ...plainTexts(options),
    // Not the same function for ever: what is made of a list of records is kept with it.
    get node() {
      return node();
    },
  };
};

const plainTexts = (options: Options): Omit<RecordJson, 'node'> => ({
  project: remember((record: ProjectRecord) => projectToJson(record, options.gns3Compat)),
  link: remember((record: LinkRecord) => linkToJson(record, options)),
  drawing: remember(drawingToJson),
  template: remember((record: TemplateRecord) => templateToJson(record, (token) => options.emit(token))),
  compute: remember((record: ComputeRecord) => computeToJson(record, null, options)),
  computeNode: computeNodeTexts(options),
});

/** A record is never changed, only replaced: its text holds as long as the object lives. */
const remember = <R extends object>(toRecordJson: (record: R) => unknown): ((record: R) => string) =>
  memo((record) => compact(hidden(JSON.stringify(toRecordJson(record)))));

/**
 * The same text in one byte a character where that is possible. The engine takes two for all of it as soon as a part of it is kept so, as paths
 * are, and then encodes it each time it is sent.
 */
const compact = (text: string): string => {
  const bytes = Buffer.from(text);
  return bytes.length === text.length ? bytes.toString('latin1') : text;
};

/** A node's console is at the host of its compute: the texts hold as long as no compute comes, goes or moves. */
const nodeTexts = (options: Options): (() => RecordJson['node']) => {
  const make = (hosts: ReadonlyMap<string, string>) =>
    remember((record: NodeRecord) => nodeToJson(record, { ...options, hosts }));
  let places = '';
  let texts = make(new Map());
  return () => {
    const computes = options.computes();
    const now = computes.map(({ compute_id, host }) => `${compute_id}\n${host}`).join('\n');
    if (now !== places) {
      places = now;
      texts = make(new Map(computes.map(({ compute_id, host }) => [compute_id, host])));
    }
    return texts;
  };
};

const computeNodeTexts = ({ gns3Compat }: Options): RecordJson['computeNode'] => {
  const byKind = new WeakMap<Kind, (record: NodeRecord) => string>();
  return (kind, record) => {
    const texts = byKind.get(kind) ?? remember((r: NodeRecord) => computeNodeToJson(kind, r, gns3Compat));
    byKind.set(kind, texts);
    return texts(record);
  };
};
