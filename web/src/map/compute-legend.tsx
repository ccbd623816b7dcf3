import type { ReactElement } from 'react';
import { useView } from '../app/lab-context.tsx';
import { sayNodes } from '../computes/counts.ts';
import { legendOf } from '../computes/compute-look.ts';
import { unreachableOf } from '../computes/computes.ts';
import { t } from '../words/words.ts';
import { short } from './flow/flow.ts';
import { useMapTools } from './map-tools.ts';

/** Which frame is which compute. A row selects the nodes that are there. */
export const ComputeLegend = ({
  onChoose,
}: {
  onChoose: (isChosen: (id: string) => boolean) => void;
}): ReactElement => {
  const { records } = useView();
  const { looks } = useMapTools();
  const choose = (nodeIds: readonly string[]): void => {
    const wanted = new Set(nodeIds);
    onChoose((id) => wanted.has(id));
  };
  const isAway = (nodeIds: readonly string[]): boolean =>
    nodeIds.some((id) => {
      const node = records.nodes.get(id);
      return node !== undefined && unreachableOf(node) !== null;
    });
  return (
    <section className="compute-legend" aria-label={t('Computes on the map')}>
      <ul>
        {legendOf(looks, records.nodes).map(({ id, look, nodeIds }) => (
          <li key={id}>
            <button
              type="button"
              className="menu-item"
              title={t('Select the nodes on {place}', { place: short(look.name) })}
              onClick={() => choose(nodeIds)}
            >
              <span
                className="compute-swatch"
                style={{ borderColor: look.colour, borderStyle: look.line }}
                aria-hidden="true"
              />
              <span className="wrap">
                {short(look.name)}
                <span className="note">
                  {' '}
                  {sayNodes(nodeIds.length)}
                  {isAway(nodeIds) && `, ${t('unreachable')}`}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};
