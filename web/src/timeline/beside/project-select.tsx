import type { ReactElement } from 'react';
import { t } from '../../words/words.ts';
import type { Choice } from './choices.ts';

interface Props {
  readonly label: string;
  readonly projectId: string;
  readonly choices: readonly Choice[];
  readonly onProject: (projectId: string) => void;
}

/** Which project a side shows: this one, its relatives, and then the others. */
export const ProjectSelect = ({ label, projectId, choices, onProject }: Props): ReactElement => {
  const one = ({ id, name }: Choice): ReactElement => (
    <option key={id} value={id}>
      {name}
    </option>
  );
  const [near, others] = [choices.filter(({ isNear }) => isNear), choices.filter(({ isNear }) => !isNear)];
  return (
    <select aria-label={label} value={projectId} onChange={(event) => onProject(event.target.value)}>
      {near.length > 0 && <optgroup label={t('This project and its forks')}>{near.map(one)}</optgroup>}
      {others.length > 0 && <optgroup label={t('Other projects')}>{others.map(one)}</optgroup>}
    </select>
  );
};
