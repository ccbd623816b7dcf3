import { type ReactElement, useCallback, useState } from 'react';
import { useSymbol } from '../map/flow/symbols.ts';
import { byShownName, shownName, type Template } from '../map/palette/templates.ts';
import type { Client } from 'topolog/client';
import { attempt } from '../store/notices.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import { TextField } from '../ui/field.tsx';
import { sayKind } from '../words/titles.ts';
import { t } from '../words/words.ts';
import { SectionFrame } from './section-frame.tsx';
import { useRead } from '../store/use-read.ts';
import type { TemplateSubject } from './template-draft.ts';
import TemplateDialog from './template-dialog.tsx';

/** Templates, from which nodes are made. */
export const TemplatesSection = ({ client }: { client: Client }): ReactElement => {
  const read = useCallback((signal: AbortSignal) => client.get('/v2/templates', { signal }), [client]);
  const { value: templates, problem, again } = useRead(read);
  const [sought, setSought] = useState('');
  const [asked, setAsked] = useState<TemplateSubject | null>(null);
  const words = sought.trim().toLowerCase();
  const shown = (templates ?? [])
    .filter((one) => `${shownName(one)} ${one.name} ${sayKind(one.template_type)}`.toLowerCase().includes(words))
    .toSorted(byShownName);
  return (
    <SectionFrame
      title={t('Templates')}
      problem={problem}
      hint={null}
      onFiles={() => undefined}
      actions={
        <>
          <TextField label={t('Search templates')} type="search" value={sought} onChange={setSought} />
          <Button kind="primary" icon="add" onClick={() => setAsked({ what: 'new' })}>
            {t('New template')}
          </Button>
        </>
      }
    >
      {templates === null && problem === null && <p className="note">{t('Loading …')}</p>}
      <ul className="template-list">
        {shown.map((template) => (
          <TemplateRow
            key={template.template_id}
            client={client}
            template={template}
            onChange={again}
            onEdit={() => setAsked({ what: 'template', template })}
          />
        ))}
      </ul>
      {templates !== null && shown.length === 0 && <p className="empty">{t('No template has this name.')}</p>}
      {asked !== null && (
        <TemplateDialog client={client} subject={asked} onDone={again} onClose={() => setAsked(null)} />
      )}
    </SectionFrame>
  );
};

interface RowProps {
  readonly client: Client;
  readonly template: Template;
  readonly onChange: () => void;
  readonly onEdit: () => void;
}

const TemplateRow = ({ client, template, onChange, onEdit }: RowProps): ReactElement => {
  const { template_type: kind, template_id, builtin, symbol } = template;
  const name = shownName(template);
  const picture = useSymbol(client, symbol);
  const path = { path: { template_id } };
  const work = (doing: () => Promise<unknown>): void => void attempt(doing).then((worked) => worked && onChange());
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {name}?', { name }),
      text: t('Nodes that were made of it stay.'),
      action: t('Delete it'),
    });
    if (isSure) work(() => client.delete('/v2/templates/{template_id}', path));
  };
  return (
    <li>
      {picture === null ? <span className="no-picture" /> : <img src={picture} alt="" />}
      <div>
        <strong className="wrap">{name}</strong>
        <span className="note">
          {sayKind(kind)}
          {builtin ? ` · ${t('built in')}` : ''}
        </span>
      </div>
      <span className="spring" />
      <IconButton icon="edit" label={t('Change {name}', { name })} onClick={onEdit} />
      {!builtin && (
        <>
          <IconButton
            icon="copy"
            label={t('Copy the template {name}', { name })}
            onClick={() => work(() => client.post('/v2/templates/{template_id}/duplicate', path))}
          />
          <IconButton icon="delete" label={t('Delete the template {name}', { name })} onClick={() => void remove()} />
        </>
      )}
    </li>
  );
};
