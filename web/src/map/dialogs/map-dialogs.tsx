import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useScope, useView } from '../../app/lab-context.tsx';
import { TemplateSlot } from '../../catalogue/template-slot.tsx';
import { ComputesSlot, MoveSlot } from '../../computes/slots.tsx';
import { attempt } from '../../store/notices.ts';
import { Menu } from '../../ui/menu.tsx';
import { WhyDialog } from '../../why/why-dialog.tsx';
import { t } from '../../words/words.ts';
import { menuOf } from '../actions/menus.ts';
import { renameNode } from '../actions/node-actions.ts';
import { chosenOf } from '../actions/object-actions.ts';
import { DrawLayer, DrawMenu } from '../draw/draw-layer.tsx';
import { middleOfMap } from '../draw/pictures.ts';
import { editedDrawing } from '../draw/shapes.ts';
import { ExportMenu } from './export-menu.tsx';
import { GroupDialog } from '../groups/group-dialog.tsx';
import { LayersPanel } from '../layers/layers-panel.tsx';
import { LayoutPanel } from '../layout/layout-panel.tsx';
import type { MapDialog, MapScope } from '../map-scope.ts';
import { AddressesDialog } from './addresses-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { FailuresDialog, FindDialog, HelpDialog } from './list-dialogs.tsx';

interface Props {
  readonly asked: MapDialog | null;
  readonly scope: MapScope;
  readonly onClose: () => void;
}

/** Layers over the map: the drawing being made, and the open dialog. */
export const MapDialogs = (props: Props): ReactElement => (
  <>
    <DrawLayer />
    <LayersPanel scope={props.scope} />
    <AskedNow {...props} />
  </>
);

const AskedNow = ({ asked, scope, onClose }: Props): ReactElement | null => {
  const { records } = useView();
  switch (asked?.what) {
    case undefined:
      return null;
    case 'add-drawing':
      return <DrawMenu onClose={onClose} />;
    case 'edit-drawing':
      return <EditDrawing id={asked.drawing.drawing_id} onClose={onClose} />;
    case 'link':
      return <LinkDialog from={asked.from} to={asked.to} among={asked.among} onClose={onClose} />;
    case 'failed':
      return <FailuresDialog failed={asked.failed} onShow={scope.show} onClose={onClose} />;
    case 'move':
      return (
        <MoveSlot
          lab={scope.lab}
          nodes={asked.nodes}
          onComputes={() => scope.ask({ what: 'computes' })}
          onClose={onClose}
        />
      );
    case 'template':
      return (
        <TemplateSlot
          client={scope.lab.client}
          subject={{ what: 'node', node: asked.node }}
          onDone={() => undefined}
          onClose={onClose}
        />
      );
    case 'why':
      return <WhyDialog node={asked.node} onClose={onClose} />;
    case 'computes':
      return <ComputesSlot client={scope.lab.client} onClose={onClose} />;
    case 'layout':
      return <LayoutPanel scope={scope} onClose={onClose} />;
    case 'export':
      return <ExportMenu lab={scope.lab} at={middleOfMap()} onClose={onClose} />;
    case 'find':
      return <FindDialog onShow={scope.show} onClose={onClose} />;
    case 'help':
      return <HelpDialog onClose={onClose} />;
    case 'group':
      return <GroupDialog lab={scope.lab} group={asked.group} nodes={asked.nodes} onClose={onClose} />;
    case 'rename':
      return <RenameField key={asked.id} id={asked.id} onClose={onClose} />;
    case 'addresses':
      return <AddressesDialog nodes={asked.nodes} onClose={onClose} />;
    case 'menu':
      return (
        <Menu
          label={t('Menu')}
          at={asked.at}
          items={menuOf(scope, chosenOf(records, asked.ids), asked.place)}
          onClose={onClose}
        />
      );
  }
};

/** Gives the bar of a drawing the focus. */
const EditDrawing = ({ id, onClose }: { id: string; onClose: () => void }): null => {
  useEffect(() => {
    editedDrawing.set(id);
    onClose();
  }, [id, onClose]);
  return null;
};

const elementOf = (id: string): Element | null => {
  const node = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  return node?.querySelector('.node-label') ?? node;
};

/** The name of a node as a field in its own place: Enter keeps what is typed, Escape does not. */
const RenameField = ({ id, onClose }: { id: string; onClose: () => void }): ReactElement | null => {
  const { lab } = useScope();
  const node = useView().records.nodes.get(id);
  const ref = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const [name, setName] = useState(node?.name ?? '');
  const [place] = useState(() => elementOf(id)?.getBoundingClientRect() ?? null);
  useEffect(() => {
    ref.current?.select();
  }, []);
  if (node === undefined || place === null) return null;
  const close = (isKept: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onClose();
    if (isKept && name.trim() !== '' && name !== node.name)
      void attempt(() => renameNode(lab, node, name.trim()), node.name);
  };
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    close(event.key === 'Enter');
    document.querySelector<HTMLElement>(`.react-flow [data-id="${CSS.escape(id)}"]`)?.focus();
  };
  return (
    <input
      ref={ref}
      className="node-rename"
      aria-label={t('Name of {name}', { name: node.name })}
      autoFocus
      autoComplete="off"
      spellCheck={false}
      value={name}
      style={{
        left: place.left + place.width / 2,
        top: place.top + place.height / 2,
        width: `${Math.max(8, name.length + 4)}ch`,
      }}
      onChange={({ target }) => setName(target.value)}
      onKeyDown={key}
      onBlur={() => close(true)}
    />
  );
};
