import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { detach } from '../../app/detach.ts';
import { type LabScope, useScope } from '../../app/lab-context.tsx';
import { useIsNarrow } from '../../app/use-is-narrow.ts';
import { watchTraffic } from '../../links/traffic.ts';
import { useStore } from '../../store/use-store.ts';
import { keyOf } from '../../store/workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import './dock.css';
import {
  arrange,
  boundedHeight,
  boundedWidth,
  bringToFront,
  EMPTY,
  type Layout,
  LEAST,
  moveOn,
  split,
} from './layout.ts';
import { PaneView } from './pane-view.tsx';

/** With terminals, so only once there is a panel. */
const Panels = lazy(() => import('./panels.tsx'));
const SendBar = lazy(() => import('../send-bar.tsx'));

/** Shares of the page's height, and of its width. */
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

const STEP = 40;

interface DockEdgeProps {
  readonly isBeside: boolean;
  /** Height below the map, width beside it. */
  readonly size: number;
  readonly onChange: (size: number) => void;
}

/** The edge of the dock at the map: dragged, or moved by arrow keys. */
const DockEdge = ({ isBeside, size, onChange }: DockEdgeProps): ReactElement => {
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

interface DockToolsProps {
  readonly isSending: boolean;
  readonly onSending: (isSending: boolean) => void;
}

/** Tools of the dock as a whole: its place, its size, sending to several consoles. */
const DockTools = ({ isSending, onSending }: DockToolsProps): ReactElement => {
  const scope = useScope();
  const { frame, isDetached } = scope;
  const { dock, isDockLarge } = useStore(frame);
  const isNarrow = useIsNarrow();
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const items: MenuItem[] = [
    { text: t('Send to several consoles'), icon: 'send', onChoose: () => onSending(!isSending), isOn: isSending },
    ...(isDetached ? [] : placesOf(scope, { isBeside: dock === 'right', isNarrow })),
  ];
  return (
    <>
      {!isDetached && (
        <IconButton
          icon={isDockLarge ? 'restore' : 'maximise'}
          label={isDockLarge ? t('Show the map again') : t('Maximise the dock')}
          aria-pressed={isDockLarge}
          onClick={() => frame.update((now) => ({ ...now, isDockLarge: !now.isDockLarge }))}
        />
      )}
      <IconButton
        icon="more"
        label={t('More for the dock')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && <Menu label={t('The dock')} at={at} items={items} onClose={() => setAt(null)} />}
    </>
  );
};

/** Where the dock can go. */
const placesOf = (
  scope: LabScope,
  { isBeside, isNarrow }: { readonly isBeside: boolean; readonly isNarrow: boolean },
): MenuItem[] => {
  const { frame, workbench } = scope;
  const turn: MenuItem = {
    text: isBeside ? t('Below the map') : t('Beside the map'),
    icon: 'split',
    startsGroup: true,
    onChoose: () => frame.update((now) => ({ ...now, dock: isBeside ? 'below' : 'right', isDockLarge: false })),
  };
  const all: MenuItem = {
    text: t('All tabs into a window of their own'),
    icon: 'window',
    onChoose: () => detach(scope, workbench.get().panels.map(keyOf)),
  };
  return isNarrow ? [all] : [turn, all];
};
