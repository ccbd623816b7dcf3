import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { t } from '../../words/words.ts';
import { boundedHeight, boundedWidth, LEAST } from './dock-size.ts';

const STEP = 40;

interface Props {
  readonly isBeside: boolean;
  /** Height below the map, width beside it. */
  readonly size: number;
  readonly onChange: (size: number) => void;
}

/** The edge of the dock at the map: dragged, or moved by arrow keys. */
export const DockEdge = ({ isBeside, size, onChange }: Props): ReactElement => {
  const room = (): number => document.querySelector('.lab-center')?.clientWidth ?? innerWidth;
  const bounded = (wanted: number): number =>
    isBeside ? boundedWidth(wanted, room()) : boundedHeight(wanted, innerHeight);
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const from = isBeside ? event.clientX : event.clientY;
    const { currentTarget } = event;
    currentTarget.setPointerCapture(event.pointerId);
    currentTarget.onpointermove = (move) => onChange(bounded(size + from - (isBeside ? move.clientX : move.clientY)));
    currentTarget.onpointerup = () => (currentTarget.onpointermove = null);
  };
  const press = (event: KeyboardEvent): void => {
    const [more, less] = isBeside ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const steps = { [more ?? '']: 1, [less ?? '']: -1, PageUp: 4, PageDown: -4 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(bounded(size + steps * STEP));
  };
  return (
    <div
      className="dock-edge"
      role="separator"
      aria-orientation={isBeside ? 'vertical' : 'horizontal'}
      aria-label={isBeside ? t('Width of the dock') : t('Height of the dock')}
      aria-valuenow={Math.round(size)}
      aria-valuemin={LEAST}
      aria-valuemax={4000}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
};
