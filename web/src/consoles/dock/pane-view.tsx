import { type ComponentType, type KeyboardEvent, type ReactElement, type ReactNode, useId } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { useStore } from '../../store/use-store.ts';
import { closePanel, keyOf, type Panel } from '../../store/workbench.ts';
import { nameFor } from '../../timeline/panes/history.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { detach } from '../../app/detach.ts';
import { t } from '../../words/words.ts';
import type { Pane } from './layout.ts';

interface Props {
  readonly pane: Pane;
  readonly panels: readonly Panel[];
  readonly isFocused: boolean;
  readonly hasOthers: boolean;
  readonly onFront: (key: string) => void;
  readonly onSplit: (key: string) => void;
  readonly onMove: (key: string) => void;
  readonly Panels: ComponentType<{ panel: Panel }>;
  /** Further tools. */
  readonly children: ReactNode;
}

const ICONS: Readonly<Record<Panel['kind'], IconName>> = {
  console: 'console',
  recording: 'record',
  packets: 'capture',
  capture: 'capture',
  captures: 'search',
  notes: 'notes',
  checks: 'checks',
  weather: 'weather',
};

const NAMES = { captures: 'All captures', notes: 'Notes', checks: 'Checks', weather: 'Weather' } as const;

/** Keys have spaces, which would end an identifier. */
const tabId = (id: string, key: string): string => `${id}-tab-${key.replaceAll(' ', '-')}`;
const panelId = (id: string, key: string): string => `${id}-panel-${key.replaceAll(' ', '-')}`;

/** One pane: tabs, and the panel in front. */
export const PaneView = (props: Props): ReactElement => {
  const { pane, panels, isFocused, hasOthers, onFront, Panels } = props;
  const { workbench } = useScope();
  const id = useId();
  const mine = pane.keys.flatMap((key) => panels.filter((panel) => keyOf(panel) === key));
  const { active } = pane;
  const close = (key: string): void => {
    workbench.update(closePanel(key));
    // The focus goes with the tab, so it moves on to the next.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.dock .tab[aria-selected=true]')?.focus());
  };
  const walk = (event: KeyboardEvent): void => {
    if (active === null) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      const next = pane.keys[(pane.keys.indexOf(active) + step + pane.keys.length) % pane.keys.length];
      if (next !== undefined) onFront(next);
      requestAnimationFrame(() => document.getElementById(tabId(id, next ?? ''))?.focus());
    } else if (event.key === 'Delete') close(active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={`pane${isFocused && hasOthers ? ' focused' : ''}`}>
      <div className="pane-head">
        <div className="tabs" role="tablist" aria-label={t('Open panels')} onKeyDown={walk}>
          {mine.map((panel) => (
            <Tab key={keyOf(panel)} panel={panel} id={id} isActive={keyOf(panel) === active} onFront={onFront} />
          ))}
        </div>
        {active !== null && <PaneTools {...props} active={active} onClose={close} />}
      </div>
      {mine.map((panel) => {
        const key = keyOf(panel);
        return (
          <div
            key={key}
            className="panel"
            role="tabpanel"
            id={panelId(id, key)}
            aria-labelledby={tabId(id, key)}
            hidden={key !== active}
            onFocus={() => onFront(key)}
          >
            <Panels panel={panel} />
          </div>
        );
      })}
    </div>
  );
};

type ToolsProps = Pick<Props, 'pane' | 'hasOthers' | 'onSplit' | 'onMove' | 'children'> & {
  readonly active: string;
  readonly onClose: (key: string) => void;
};

const PaneTools = ({ pane, active, hasOthers, onSplit, onMove, onClose, children }: ToolsProps): ReactElement => {
  const scope = useScope();
  return (
    <div className="pane-tools">
      {pane.keys.length > 1 && (
        <IconButton icon="split" label={t('Show beside the others')} onClick={() => onSplit(active)} />
      )}
      {hasOthers && <IconButton icon="next" label={t('Move to the next pane')} onClick={() => onMove(active)} />}
      {!scope.isDetached && (
        <IconButton icon="window" label={t('Into a window of its own')} onClick={() => detach(scope, [active])} />
      )}
      {children}
      <IconButton icon="close" label={t('Close this tab')} onClick={() => onClose(active)} />
    </div>
  );
};

interface TabProps {
  readonly panel: Panel;
  readonly id: string;
  readonly isActive: boolean;
  readonly onFront: (key: string) => void;
}

const Tab = ({ panel, id, isActive, onFront }: TabProps): ReactElement => {
  const key = keyOf(panel);
  const name = useName(panel);
  const isRecorded = useIsRecorded(panel);
  return (
    <button
      type="button"
      role="tab"
      id={tabId(id, key)}
      className="tab"
      aria-selected={isActive}
      aria-controls={panelId(id, key)}
      tabIndex={isActive ? 0 : -1}
      title={name}
      onClick={() => onFront(key)}
    >
      <Icon name={ICONS[panel.kind]} />
      <span className="tab-name">{name}</span>
      {isRecorded && (
        <span className="recorded" title={t('This console is being recorded')}>
          <Icon name="record" />
          <span className="visually-hidden">{t(', recorded')}</span>
        </span>
      )}
    </button>
  );
};

const useName = (panel: Panel): string => {
  const { records } = useView();
  if (panel.kind === 'capture') return panel.capture;
  if (panel.kind === 'packets') return nameFor(records, 'link', panel.linkId);
  if (panel.kind !== 'console' && panel.kind !== 'recording') return t(NAMES[panel.kind]);
  const name = nameFor(records, 'node', panel.nodeId);
  return panel.kind === 'recording' ? t('{name}, recording', { name }) : name;
};

const useIsRecorded = (panel: Panel): boolean => {
  const { lab } = useScope();
  return useStore(
    lab.state,
    ({ records: { project, nodes } }) =>
      panel.kind === 'console' &&
      project?.record_consoles === true &&
      nodes.get(panel.nodeId)?.status !== 'stopped' &&
      nodes.get(panel.nodeId)?.console_type === 'telnet',
  );
};
