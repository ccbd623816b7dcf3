import { type ReactElement, useId } from 'react';
import { useView } from '../app/lab-context.tsx';
import type { Spec } from '../inspector/form/spec.ts';
import type { Draft } from '../inspector/form/values.ts';
import type { Records } from '../store/records.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { t, told } from '../words/words.ts';

const NODES = new Set(['from', 'node']);
const isOfLink = ({ key }: Spec): boolean => key === 'link';

/** It names a node or a link of the lab. */
export const isOfObject = (spec: Spec): boolean => NODES.has(spec.key) || spec.key === 'to' || isOfLink(spec);

interface Props {
  readonly spec: Spec;
  readonly value: Draft | null;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

/** Chooses a node or a link of the lab; what is to be reached may be an address as well. */
export const ObjectField = ({ spec, value, problem, onChange }: Props): ReactElement => {
  const { records } = useView();
  const id = useId();
  const shown = typeof value === 'string' ? value : '';
  const help = told(spec.help);
  return (
    <div className="form-field">
      <div className="form-label" title={help}>
        <label htmlFor={id}>{told(spec.title)}</label>
      </div>
      <div className="form-control">
        {spec.key === 'to' ? (
          <>
            <input
              id={id}
              type="text"
              list={`${id}-nodes`}
              autoComplete="off"
              value={nameOf(records, shown)}
              aria-describedby={`${id}-problem`}
              onChange={({ target }) => onChange(idOf(records, target.value))}
            />
            <datalist id={`${id}-nodes`}>
              {[...records.nodes.values()].map((node) => (
                <option key={node.node_id} value={node.name} />
              ))}
            </datalist>
          </>
        ) : (
          <select
            id={id}
            value={shown}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => onChange(target.value)}
          >
            <option value="">{spec.isRequired ? t('choose …') : t('any')}</option>
            {choicesOf(records, spec).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      <div id={`${id}-problem`} role="status" className="form-said">
        {problem !== null && <p className="problem wrap">{problem}</p>}
      </div>
    </div>
  );
};

const choicesOf = (records: Records, spec: Spec): readonly (readonly [string, string])[] =>
  isOfLink(spec)
    ? [...records.links.keys()].map((id) => [id, nameFor(records, 'link', id)])
    : [...records.nodes.values()].map(({ node_id, name }) => [node_id, name]);

/** Names are unique in a lab, so one leads to its node. */
const idOf = ({ nodes }: Records, text: string): string =>
  [...nodes.values()].find(({ name }) => name === text)?.node_id ?? text;
const nameOf = ({ nodes }: Records, id: string): string => nodes.get(id)?.name ?? id;
