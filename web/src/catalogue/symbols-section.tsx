import { type ReactElement, useCallback } from 'react';
import type { Client, Schemas } from 'topolog/client';
import { sendFile } from '../app/send-file.ts';
import { useSymbol } from '../map/flow/symbols.ts';
import { attempt, notify } from '../store/notices.ts';
import { useRead } from '../store/use-read.ts';
import { FileButton, IconButton } from '../ui/button.tsx';
import { confirm } from '../ui/confirm.tsx';
import { t } from '../words/words.ts';
import { SectionFrame } from './section-frame.tsx';
import { Uses } from './uses.tsx';

type OwnSymbol = Schemas['CatalogueSymbol'];

/** Pictures of nodes that people have brought. */
export const SymbolsSection = ({ client }: { client: Client }): ReactElement => {
  const read = useCallback((signal: AbortSignal) => client.get('/v2/catalogue/symbols', { signal }), [client]);
  const { value: symbols, problem, again } = useRead(read);
  const send = (files: readonly File[]): void => void sendAll(client, files).finally(again);
  return (
    <SectionFrame
      title={t('Symbols')}
      problem={problem}
      hint={t('Drop pictures here: SVG, PNG or JPEG')}
      onFiles={send}
      actions={
        <FileButton
          text={t('Upload symbols')}
          kind="primary"
          accept=".svg,.png,.jpg,.jpeg,.gif"
          isMultiple
          onFiles={send}
        />
      }
    >
      {symbols === null && problem === null && <p className="note">{t('Loading …')}</p>}
      {symbols?.length === 0 && (
        <p className="empty">{t('No symbols of your own yet. Upload a picture, and nodes can have it.')}</p>
      )}
      <ul className="symbol-cards">
        {(symbols ?? []).map((symbol) => (
          <SymbolCard key={symbol.symbol_id} client={client} symbol={symbol} onChange={again} />
        ))}
      </ul>
    </SectionFrame>
  );
};

const sendAll = async (client: Client, files: readonly File[]): Promise<void> => {
  for (const file of files)
    await attempt(async () => {
      await sendFile(client, `/v2/symbols/${encodeURIComponent(file.name)}/raw`, file, file.name);
      notify('success', t('{name} is uploaded.', { name: file.name }));
    });
};

interface CardProps {
  readonly client: Client;
  readonly symbol: OwnSymbol;
  readonly onChange: () => void;
}

const SymbolCard = ({ client, symbol, onChange }: CardProps): ReactElement => {
  const { symbol_id: name } = symbol;
  const picture = useSymbol(client, name);
  return (
    <li>
      {picture === null ? <span className="no-picture" /> : <img src={picture} alt="" />}
      <div>
        <strong className="wrap">{name}</strong>
        <Uses {...symbol} />
      </div>
      <IconButton
        icon="delete"
        label={t('Delete the symbol {name}', { name })}
        onClick={() => void remove(client, name).then((worked) => worked && onChange())}
      />
    </li>
  );
};

const remove = async (client: Client, name: string): Promise<boolean> => {
  const isSure = await confirm({
    title: t('Delete {name}?', { name }),
    text: t('The file is gone then. The server keeps symbols that a node or a template has.'),
    action: t('Delete it'),
  });
  if (!isSure) return false;
  return attempt(() => client.delete('/v2/catalogue/symbols/{symbol_id}', { path: { symbol_id: name } }));
};
