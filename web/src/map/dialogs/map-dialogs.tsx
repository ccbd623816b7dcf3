import type { ReactElement } from 'react';
import { useView } from '../../app/lab-context.tsx';
import { TemplateSlot } from '../../catalogue/template-slot.tsx';
import { ComputesSlot, MoveSlot } from '../../computes/slots.tsx';
import { WhyDialog } from '../../why/why-dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { RenameField } from '../rename-field.tsx';
import { AddressesDialog } from './addresses-dialog.tsx';
import type { Asked } from '../actions/asked.ts';
import { DrawLayer } from '../draw/draw-layer.tsx';
import { DrawMenu } from '../draw/draw-menu.tsx';
import { EditDrawing } from '../draw/edit-drawing.tsx';
import { middleOfMap } from '../draw/use-pictures.ts';
import { GroupDialog } from '../groups/group-dialog.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { LayersPanel } from '../layers/layers-panel.tsx';
import { LayoutPanel } from '../layout/layout-panel.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { FailuresDialog, FindDialog, HelpDialog } from './list-dialogs.tsx';
import { menuOf } from '../actions/menus.ts';
import { chosenOf } from '../actions/object-actions.ts';
import type { MapScope } from '../flow/use-map-scope.ts';

interface Props {
  readonly asked: Asked | null;
  readonly scope: MapScope;
  readonly onClose: () => void;
}

/** What lies over the map: what is being drawn, and what is asked at the moment. */
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
