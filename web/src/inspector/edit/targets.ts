import type { Records } from '../../store/records.ts';
import type { Spec } from '../form/spec.ts';

/** Sorts of records that a form can change. */
export type Collection = 'node' | 'link' | 'drawing' | 'project';
export interface Target {
  readonly collection: Collection;
  readonly id: string;
}

/** A field of them. `isOfKind`: it is among the properties of the kind. */
export interface Place {
  readonly spec: Spec;
  readonly isOfKind: boolean;
}

type Bag = Readonly<Record<string, unknown>>;

export const recordOf = (records: Records, { collection, id }: Target): Bag | undefined => {
  const found =
    collection === 'project'
      ? records.project
      : collection === 'node'
        ? records.nodes.get(id)
        : collection === 'link'
          ? records.links.get(id)
          : records.drawings.get(id);
  return found ?? undefined;
};

/** The value of a field in a record, in what an event changes, or in what is sent. */
export const valueIn = ({ spec, isOfKind }: Place, record: Bag | undefined): unknown =>
  isOfKind ? (record?.['properties'] as Bag | undefined)?.[spec.key] : record?.[spec.key];

/** Request that changes one field. Keys that are not sent keep their value. */
export const changeOf = ({ spec, isOfKind }: Place, value: unknown): Record<string, unknown> =>
  isOfKind ? { properties: { [spec.key]: value } } : { [spec.key]: value };
