import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { Node } from '../store/records.ts';
import { openSheet } from '../store/workbench.ts';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';

/** Asks what a node does not reach: a node of the lab, or an address. */
export const WhyDialog = ({ node, onClose }: { node: Node; onClose: () => void }): ReactElement => {
  const { workbench } = useScope();
  const { records } = useView();
  const others = [...records.nodes.values()].filter(({ node_id }) => node_id !== node.node_id);
  const [picked, pick] = useState(others[0]?.node_id ?? '');
  const [address, setAddress] = useState('');
  const to = address.trim() === '' ? picked : address.trim();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (to === '') return;
    onClose();
    workbench.update(openSheet({ kind: 'why', from: node.node_id, to }));
  };
  return (
    <Dialog title={t('What does {name} not reach?', { name: node.name })} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <SelectField
          label={t('Node')}
          value={picked}
          options={others.map(({ node_id, name }) => ({ value: node_id, text: name }))}
          onChange={pick}
        />
        <TextField
          label={t('or an address')}
          value={address}
          onChange={setAddress}
          autoComplete="off"
          spellCheck={false}
        />
        <FormEnd problem={null} submit={t('Find out why')} disabled={to === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
};
