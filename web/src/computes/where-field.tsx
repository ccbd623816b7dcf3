import type { ReactElement } from 'react';
import { SelectField } from '../ui/field.tsx';
import { AUTO, type Compute, isHere, LOCAL, nameOfCompute } from './computes.ts';
import { t } from '../words/words.ts';

interface Option {
  readonly value: string;
  readonly text: string;
  readonly isDisabled?: boolean;
}

interface Wanted {
  /** Cannot be chosen. */
  readonly without?: string | undefined;
  /** Is among them, also if the server does not know it. */
  readonly value?: string;
}

/** Where nodes can go: wherever is best, this server, the others; those that are away say so and cannot be chosen. */
export const placesOf = (computes: readonly Compute[], { without, value }: Wanted = {}): Option[] => {
  const known: readonly Pick<Compute, 'compute_id' | 'name' | 'connected'>[] =
    computes.length === 0 ? [{ compute_id: LOCAL, name: LOCAL, connected: true }] : computes;
  const isUnknown = value !== undefined && value !== AUTO && !known.some(({ compute_id }) => compute_id === value);
  return [
    { value: AUTO, text: t('Wherever is best') },
    ...known
      .filter(({ compute_id }) => compute_id !== without)
      .map(({ compute_id, name, connected }) => ({
        value: compute_id,
        text: [nameOfCompute({ compute_id, name }), ...(connected || isHere(compute_id) ? [] : [t('away')])].join(', '),
        isDisabled: !connected && !isHere(compute_id),
      })),
    ...(isUnknown
      ? [{ value, text: t('{name}, which this server does not know', { name: value }), isDisabled: true }]
      : []),
  ];
};

interface Props {
  readonly label: string;
  readonly computes: readonly Compute[];
  readonly value: string;
  readonly without?: string | undefined;
  readonly onChange: (computeId: string) => void;
}

/** Asks on which compute. */
export const WhereField = ({ label, computes, value, without, onChange }: Props): ReactElement => (
  <SelectField label={label} value={value} options={placesOf(computes, { without, value })} onChange={onChange} />
);
