import {
  type CSSProperties,
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { useIsNarrow } from '../../app/use-is-narrow.ts';
import { watchTraffic } from '../../links/traffic.ts';
import { useStore } from '../../store/use-store.ts';
import { keyOf } from '../../store/workbench.ts';
import { t } from '../../words/words.ts';
import { DockEdge } from './dock-edge.tsx';
import { boundedHeight, boundedWidth } from './dock-size.ts';
import { DockTools } from './dock-tools.tsx';
import { arrange, bringToFront, EMPTY, type Layout, moveOn, split } from './layout.ts';
import { PaneView } from './pane-view.tsx';
import './dock.css';

/** With terminals, so only once there is a panel. */
const Panels = lazy(() => import('./panels.tsx'));
const SendBar = lazy(() => import('../tools/send-bar.tsx'));

/** Of the page's height, and of its width. */
const FIRST_SHARE = 0.4;
const FIRST_WIDTH_SHARE = 0.3;

/** The workbench’s panels in tabs, in panes side by side: below the map, beside it, over it, or in a window of their own. */
const Dock = (): ReactElement | null => {
  const { lab, workbench } = useScope();
  // From the beginning, so that a chart that is opened later has something to show.
  useEffect(() => watchTraffic(lab), [lab]);
  const { panels, active } = useStore(workbench);
  const [kept, setKept] = useState<Layout>(EMPTY);
  const [isSending, setSending] = useState(false);
  const { className, style, edge } = usePlace();
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
  const last = layout.panes.at(-1);
  return (
    <section className={className} aria-label={t('Consoles and packets')} style={style}>
      {edge}
      <Suspense fallback={<p className="note">{t('Loading …')}</p>}>
        {isSending && <SendBar onClose={() => setSending(false)} />}
        <div className="panes">
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
            >
              {pane === last && <DockTools isSending={isSending} onSending={setSending} />}
            </PaneView>
          ))}
        </div>
      </Suspense>
    </section>
  );
};
export default Dock;

const onResize = (tell: () => void): (() => void) => {
  addEventListener('resize', tell);
  return () => removeEventListener('resize', tell);
};

/** Where the dock stands, how large it is, and the edge that changes that. */
const usePlace = (): { className: string; style: CSSProperties; edge: ReactElement | null } => {
  const { workbench, frame, isDetached } = useScope();
  const place = useStore(frame);
  const isNarrow = useIsNarrow();
  const hasPanels = useStore(workbench, (now) => now.panels.length > 0);
  const page = useSyncExternalStore(onResize, () => innerHeight);
  const [wanted, setHeight] = useState(() => Math.round(innerHeight * FIRST_SHARE));
  const height = boundedHeight(wanted, page);
  const [width, setWidth] = useState(() => boundedWidth(Math.round(innerWidth * FIRST_WIDTH_SHARE), innerWidth));
  useEffect(() => {
    // The next panel that opens is not to cover the map.
    if (!hasPanels && !isDetached) frame.update((now) => (now.isDockLarge ? { ...now, isDockLarge: false } : now));
  }, [hasPanels, isDetached, frame]);
  if (isDetached || place.isDockLarge) return { className: 'dock large', style: {}, edge: null };
  const isBeside = place.dock === 'right' && !isNarrow;
  const [size, onChange] = isBeside ? ([width, setWidth] as const) : ([height, setHeight] as const);
  return {
    className: isBeside ? 'dock beside' : 'dock',
    style: isBeside ? { width } : { height },
    edge: <DockEdge isBeside={isBeside} size={size} onChange={onChange} />,
  };
};
