import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';

const LEAST = 120;
const STEP = 40;

/** Of the page's height, that of the header and of the closed time line beside the map's 60 %. */
const MAP_SHARE = 0.6;
const FRAME = 84;

/** Leaves the map its share of the page. */
export const bounded = (height: number): number =>
  Math.max(LEAST, Math.min(Math.floor(innerHeight * (1 - MAP_SHARE)) - FRAME, height));

/** The upper edge of the dock: dragged, or moved by arrow keys. */
export const DockEdge = ({
  height,
  onChange,
}: {
  height: number;
  onChange: (height: number) => void;
}): ReactElement => {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const from = event.clientY;
    const { currentTarget } = event;
    currentTarget.setPointerCapture(event.pointerId);
    currentTarget.onpointermove = (move) => onChange(bounded(height + from - move.clientY));
    currentTarget.onpointerup = () => (currentTarget.onpointermove = null);
  };
  const press = (event: KeyboardEvent): void => {
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 4, PageDown: -4 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(bounded(height + steps * STEP));
  };
  return (
    <div
      className="dock-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the dock"
      aria-valuenow={Math.round(height)}
      aria-valuemin={LEAST}
      aria-valuemax={2000}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
};
