import type { LabSecrets } from '../common/lab-secrets/store.ts';
import { hasSecrets, HIDDEN, isReference, replaceSecrets } from '../common/lab-secrets/texts.ts';
import type { LogEvent } from './event.ts';
import type { AnyDraft, EventType } from './schemas.ts';

const OF_NODE = ['properties', 'texts', 'extra', 'as_read'] as const;
const OF_PROJECT = ['variables', 'extra', 'as_read'] as const;

/** Keys of events, or of the changes or settings in them, whose texts may have secrets. */
const PLACES: Partial<Record<EventType, readonly string[]>> = {
  'node.created': OF_NODE,
  'node.updated': OF_NODE,
  'node.restored': OF_NODE,
  'node.config_collected': ['files'],
  'operation.requested': ['arguments'],
  'project.created': OF_PROJECT,
  'project.updated': OF_PROJECT,
  'project.replaced': OF_PROJECT,
  'project.restored': OF_PROJECT,
  'template.created': ['settings'],
  'template.updated': ['settings'],
};

/** Events in which an engine, or a failure, may quote what it was given. */
const TOLD = new Set<EventType>([
  'node.started',
  'node.start_failed',
  'node.reloaded',
  'node.reload_failed',
  'node.adopted',
  'node.stop_failed',
  'node.exited',
  'node.config_collected',
  'operation.finished',
  'project.nodes_finished',
  'project.apply_finished',
  'warning.raised',
  'request.refused',
]);

type Bag = Record<string, unknown>;

/** The draft with `change` made to each value that may have secrets; the same object where nothing changes. */
const inPlaces = (draft: AnyDraft, change: (value: unknown) => unknown): AnyDraft => {
  const keys = PLACES[draft.type];
  if (keys === undefined) return draft;
  const changed = (bag: Bag): Bag => {
    const entries = keys.flatMap((key) => (bag[key] === undefined ? [] : [[key, change(bag[key])] as const]));
    return entries.every(([key, value]) => value === bag[key]) ? bag : { ...bag, ...Object.fromEntries(entries) };
  };
  const data = draft.data as Bag;
  const inner = 'changes' in data ? 'changes' : draft.type === 'project.restored' ? 'settings' : null;
  const whole = changed(data);
  const now = inner === null ? whole : withInner(whole, inner, changed(whole[inner] as Bag));
  return now === data ? draft : ({ ...draft, data: now } as unknown as AnyDraft);
};

const withInner = (data: Bag, key: string, value: Bag): Bag => (data[key] === value ? data : { ...data, [key]: value });

/** Whether a stored event has secrets, as those of earlier versions do. */
export const eventHasSecrets = (event: Pick<LogEvent, 'type' | 'data'>): boolean => {
  let found = false;
  inPlaces(event as AnyDraft, (value) => {
    found ||= hasSecrets(value);
    return value;
  });
  return found;
};

/** A record without secrets, which those of earlier versions have. */
export const recordWithoutSecrets = <R extends object>(record: R): R =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      [...OF_NODE, ...OF_PROJECT].some((one) => one === key)
        ? replaceSecrets(value, (secret) => (isReference(secret) ? secret : HIDDEN))
        : (value as unknown),
    ]),
  ) as R;

/** The draft with references in the place of its secrets. */
export const withSealed = (secrets: LabSecrets, draft: AnyDraft): AnyDraft => {
  const { project_id: of, type } = draft;
  const sealed = inPlaces(draft, (value) => secrets.sealed(of, value));
  return TOLD.has(type) ? ({ ...sealed, data: secrets.untold(of, sealed.data) } as AnyDraft) : sealed;
};
