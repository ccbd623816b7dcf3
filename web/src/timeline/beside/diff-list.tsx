import { type ReactElement, useState } from 'react';
import type { Records } from '../../store/records.ts';
import { Button } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { changeWord, collectionWord, nameOfDiff, sayField, SIGNS } from '../panes/compare.ts';
import type { SideDiff } from './differences.ts';

interface Where {
  readonly left: string | null;
  readonly right: string | null;
}

interface Props {
  readonly diffs: readonly SideDiff[];
  readonly left: Records;
  readonly right: Records;
  readonly onPoint: (where: Where) => void;
  /** Both maps go there. */
  readonly onShow: (where: Where) => void;
}

/** So many are listed unless all are asked for. */
const FIRST = 200;
const NOWHERE: Where = { left: null, right: null };

/** What differs between the two sides; pressed, both maps show it. */
export const DiffList = ({ diffs, left, right, onPoint, onShow }: Props): ReactElement => {
  const [isWhole, setWhole] = useState(false);
  return (
    <section className="beside-list" aria-label={t('What differs')} tabIndex={0}>
      <ul className="differences">
        {(isWhole ? diffs : diffs.slice(0, FIRST)).map((diff) => (
          <li key={`${diff.left} ${diff.right}`} className={`difference ${diff.change}`}>
            <span className="sign" aria-hidden="true">
              {SIGNS[diff.change]}
            </span>
            <button
              type="button"
              className="difference-button"
              onClick={() => onShow(diff)}
              onPointerEnter={() => onPoint(diff)}
              onPointerLeave={() => onPoint(NOWHERE)}
              onFocus={() => onPoint(diff)}
              onBlur={() => onPoint(NOWHERE)}
            >
              <span>
                <strong>{nameIn(diff, left, right)}</strong>{' '}
                <span className="note">({collectionWord(diff.collection)})</span> {changeWord(diff.change)}
              </span>
              {diff.fields.map((field) => (
                <span key={field.field} className="field wrap">
                  {sayField(field)}
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
      {!isWhole && diffs.length > FIRST && (
        <Button onClick={() => setWhole(true)}>{t('Show the other {count}', { count: diffs.length - FIRST })}</Button>
      )}
    </section>
  );
};

const nameIn = (diff: SideDiff, left: Records, right: Records): string =>
  nameOfDiff({ ...diff, id: diff.right ?? diff.left ?? '' }, diff.right === null ? left : right);
