import { type CSSProperties, lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { watchTraffic } from '../links/traffic.ts';
import { useStore } from '../store/use-store.ts';
import { keyOf } from '../store/workbench.ts';
import { bounded, DockEdge } from './dock-edge.tsx';
import { arrange, bringToFront, EMPTY, type Layout, moveOn, split } from './layout.ts';
import { PaneView } from './pane-view.tsx';
import './dock.css';

/** With terminals, so only once there is a panel. */
const Panels = lazy(() => import('./panels.tsx'));

/** Of the page's height. */
const FIRST_SHARE = 0.25;

/** The dock at the bottom: the workbench’s panels in tabs, in panes side by side. */
const Dock = (): ReactElement | null => {
  const { lab, workbench } = useScope();
  // From the beginning, so that a chart that is opened later has something to show.
  useEffect(() => watchTraffic(lab), [lab]);
  const { panels, active } = useStore(workbench);
  const [kept, setKept] = useState<Layout>(EMPTY);
  const [height, setHeight] = useState(() => bounded(Math.round(innerHeight * FIRST_SHARE)));
  const keys = panels.map(keyOf);
  const known = keys.join('\n');
  const layout = arrange(kept, keys, null);
  useEffect(() => {
    setKept((before) => arrange(before, known === '' ? [] : known.split('\n'), active));
  }, [known, active]);
  if (panels.length === 0) return null;
  const front = (key: string): void => {
    setKept((before) => bringToFront(before, key));
    workbench.update((now) => ({ ...now, active: key }));
  };
  const style: CSSProperties = { height };
  return (
    <section className="dock" aria-label="Consoles and packets" style={style}>
      <DockEdge height={height} onChange={setHeight} />
      <div className="panes">
        <Suspense fallback={<p className="note">Loading …</p>}>
          {layout.panes.map((pane) => (
            <PaneView
              key={pane.id}
              pane={pane}
              panels={panels}
              isFocused={pane.id === layout.focused}
              hasOthers={layout.panes.length > 1}
              onFront={front}
              onSplit={(key) => setKept((before) => split(before, key))}
              onMove={(key) => setKept((before) => moveOn(before, key))}
              Panels={Panels}
            />
          ))}
        </Suspense>
      </div>
    </section>
  );
};
export default Dock;
