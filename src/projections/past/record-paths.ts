import path from 'node:path';
import { memo } from '../../common/memo.ts';
import { currentPath, currentSetting, type FilePaths } from '../../events/file-paths.ts';
import type {
  CollectionName,
  Collections,
  InsideCollection as Inside,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
} from '../records.ts';
import type { Step, Transition } from '../fold/change.ts';

/**
 * Replaces stored paths in records by absolute ones, for all readers but folds. The same record gives the same object
 * each time.
 */
export interface PathResolver {
  record<C extends CollectionName>(collection: C, record: Collections[C]): Collections[C];
  view(view: RecordView): RecordView;
  step(step: Step): Step;
}

/** For records whose paths are absolute already. */
export const unresolvedPaths: PathResolver = {
  record: (_, record) => record,
  view: (view) => view,
  step: (step) => step,
};

export const resolvePaths = (places: FilePaths): PathResolver => {
  const made = memo((raw: Collections[CollectionName], collection: CollectionName) =>
    resolveRecord(places, collection, raw),
  );
  const record = <C extends CollectionName>(collection: C, raw: Collections[C]): Collections[C] =>
    hasPath(places, collection, raw) ? (made(raw, collection) as Collections[C]) : raw;
  const lists = memo((raw: readonly Collections[Inside][], collection: Inside) =>
    raw.map((one) => record(collection, one)),
  );
  const orNull = (collection: CollectionName, raw: Collections[CollectionName] | null) =>
    raw === null ? null : record(collection, raw);
  return {
    record,
    view: (view) => resolvedView(view, record, lists),
    step: (step) => new ResolvedStep(step, orNull),
  };
};

type ResolveOrNull = (
  collection: CollectionName,
  raw: Collections[CollectionName] | null,
) => Collections[CollectionName] | null;

/** Resolves transitions on access, as few steps of a large batch are read. */
class ResolvedStep implements Step {
  readonly event: Step['event'];
  readonly #raw: Step;
  readonly #place: ResolveOrNull;
  #transitions: Transition[] | null = null;

  constructor(raw: Step, place: ResolveOrNull) {
    this.event = raw.event;
    this.#raw = raw;
    this.#place = place;
  }

  get transitions(): Transition[] {
    this.#transitions ??= this.#raw.transitions.map(
      (t) =>
        ({
          ...t,
          before: this.#place(t.collection, t.before),
          record: this.#place(t.collection, t.record),
        }) as Transition,
    );
    return this.#transitions;
  }
}

type ResolveList = (raw: readonly Collections[Inside][], collection: Inside) => readonly Collections[Inside][];

const resolvedView = (view: RecordView, record: PathResolver['record'], lists: ResolveList): RecordView => ({
  get(collection, id) {
    const found = view.get(collection, id);
    return found === undefined ? undefined : record(collection, found);
  },
  ofProject: <C extends Inside>(collection: C, id: string) => {
    const found = view.ofProject(collection, id);
    return collection === 'node' || collection === 'link'
      ? (lists(found, collection) as readonly Collections[C][])
      : found;
  },
  count: (collection, id) => view.count(collection, id),
  holders: (console) => view.holders(console).map((one) => record('node', one)),
  named: (projectId, name) => view.named(projectId, name).map((one) => record('node', one)),
  linksOf: (nodeId) => view.linksOf(nodeId).map((one) => record('link', one)),
  projects: () => view.projects().map((one) => record('project', one)),
  ofServer: (collection) => view.ofServer(collection),
});

/** Records without paths are returned as they are. */
const hasPath = (places: FilePaths, collection: CollectionName, raw: Collections[CollectionName]): boolean => {
  if (collection === 'project') return true;
  if (collection === 'link') return (raw as LinkRecord).capture !== null;
  if (collection !== 'node') return false;
  const { node_directory, captures } = raw as NodeRecord;
  const isWhole = node_directory === null || path.isAbsolute(node_directory);
  return !isWhole || places.former.length > 0 || Object.keys(captures).length > 0;
};

const resolveRecord = (places: FilePaths, collection: CollectionName, raw: Collections[CollectionName]): object => {
  switch (collection) {
    case 'project':
      return withPath(places, raw as ProjectRecord, raw.created);
    case 'link': {
      const { capture } = raw as LinkRecord;
      return { ...raw, capture: capture === null ? null : withPath(places, capture, raw.created) };
    }
    default:
      return resolveNode(places, raw as NodeRecord);
  }
};

const withPath = <T extends { path: string }>(places: FilePaths, one: T, created: number): T => {
  const now = currentPath(places, one.path, created);
  return now === one.path ? one : { ...one, path: now };
};

const resolveNode = (places: FilePaths, raw: NodeRecord): NodeRecord => {
  const { node_directory, captures, properties, created } = raw;
  const directory = node_directory === null ? null : currentPath(places, node_directory, created);
  return {
    ...raw,
    node_directory: directory,
    captures: Object.fromEntries(Object.entries(captures).map(([key, one]) => [key, withPath(places, one, created)])),
    properties: places.former.length === 0 ? properties : resolveSettings(places, properties),
  };
};

const resolveSettings = (places: FilePaths, properties: NodeRecord['properties']): NodeRecord['properties'] =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      key,
      typeof value === 'string' && path.isAbsolute(value) ? currentSetting(places, value) : value,
    ]),
  );
