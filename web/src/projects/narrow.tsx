import { Fragment, type ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import type { Wanted } from './listed.ts';

interface Props {
  readonly wanted: Wanted;
  readonly tags: readonly { readonly name: string; readonly count: number }[];
  readonly onWant: (wanted: Wanted) => void;
}

/** What of the list is shown, and in which order. */
export const Narrow = ({ wanted, tags, onWant }: Props): ReactElement => (
  <div className="narrow">
    <TextField
      label={t('Search')}
      type="search"
      value={wanted.sought}
      onChange={(sought) => onWant({ ...wanted, sought })}
      placeholder={t('Name, tag or folder')}
    />
    <SelectField
      label={t('Order')}
      value={wanted.order}
      options={[
        { value: 'changed', text: t('Changed last') },
        { value: 'name', text: t('Name') },
      ]}
      onChange={(order) => onWant({ ...wanted, order: order === 'name' ? 'name' : 'changed' })}
    />
    {tags.length > 0 && (
      <ul className="tag-list" aria-label={t('Tags')}>
        {tags.map(({ name, count }) => (
          <li key={name}>
            <button
              type="button"
              className="tag"
              aria-pressed={wanted.tag === name}
              onClick={() => onWant({ ...wanted, tag: wanted.tag === name ? null : name })}
            >
              {name} <span aria-hidden="true">{count}</span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
);

interface PathProps {
  readonly folder: readonly string[];
  readonly onEnter: (folder: readonly string[]) => void;
}

/** Where one is, and the way back. */
export const FolderPath = ({ folder, onEnter }: PathProps): ReactElement => (
  <nav className="folder-path" aria-label={t('Folder')}>
    <Button onClick={() => onEnter([])}>{t('All projects')}</Button>
    {folder.map((name, index) => (
      <Fragment key={folder.slice(0, index + 1).join('/')}>
        <span aria-hidden="true">/</span>
        <Button
          aria-current={index === folder.length - 1 ? 'location' : undefined}
          onClick={() => onEnter(folder.slice(0, index + 1))}
        >
          {name}
        </Button>
      </Fragment>
    ))}
  </nav>
);
