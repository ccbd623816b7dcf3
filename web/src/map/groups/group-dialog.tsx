import { type ReactElement, type SubmitEvent, useId, useState } from 'react';
import type { Lab } from '../../store/lab.ts';
import type { Node } from '../../store/records.ts';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { newUuid } from '../../store/new-uuid.ts';
import { t } from '../../words/words.ts';
import { changeGroups } from './group-actions.ts';
import { type Group, groupsOf, nextLook, withChanged, withGroup } from './groups.ts';

interface Props {
  readonly lab: Lab;
  /** Null: a new one of the nodes. */
  readonly group: Group | null;
  readonly nodes: readonly Node[];
  readonly onClose: () => void;
}

/** Name and colour of a group. */
export const GroupDialog = ({ lab, group, nodes, onClose }: Props): ReactElement => {
  const [look, setLook] = useState(
    () => group ?? nextLook(groupsOf(lab.state.get().records.project), (count) => t('Group {count}', { count })),
  );
  const colour = useId();
  const { name, color } = look;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const said = { name: name.trim(), color };
    const made = { ...said, group_id: newUuid(), collapsed: false, nodes: nodes.map(({ node_id }) => node_id) };
    void changeGroups(lab, (now) =>
      group === null ? withGroup(now, made) : withChanged(now, group.group_id, said),
    ).then((worked) => {
      if (worked) onClose();
    });
  };
  return (
    <Dialog title={group === null ? t('New group') : t('Group {name}', { name: group.name })} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('Name')}
          value={name}
          onChange={(text) => setLook({ name: text, color })}
          required
          maxLength={255}
          autoComplete="off"
        />
        <div className="field">
          <label htmlFor={colour}>{t('Colour')}</label>
          <input
            id={colour}
            type="color"
            value={color}
            onChange={({ target }) => setLook({ name, color: target.value })}
          />
        </div>
        <FormEnd
          problem={null}
          submit={group === null ? t('Group') : t('Save')}
          disabled={name.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};
