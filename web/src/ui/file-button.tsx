import { type ReactElement, useRef } from 'react';
import { Button } from './button.tsx';

interface Props {
  readonly text: string;
  /** What it is for, where the text does not say it. */
  readonly about?: string;
  /** Endings; absent: any file. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly isFolder?: boolean;
  readonly kind?: 'plain' | 'primary';
  readonly onFiles: (files: readonly File[]) => void;
}

/** Asks for files of the user's machine. */
export const FileButton = (props: Props): ReactElement => {
  const { text, about, accept, isMultiple = false, isFolder = false, kind = 'plain', onFiles } = props;
  const ref = useRef<HTMLInputElement>(null);
  const label = about === undefined ? text : `${text} ${about}`;
  return (
    <>
      <Button icon="upload" kind={kind} onClick={() => ref.current?.click()}>
        {text}
        {about !== undefined && <span className="visually-hidden"> {about}</span>}
      </Button>
      <input
        ref={ref}
        type="file"
        hidden
        multiple={isMultiple}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        {...(accept === undefined ? {} : { accept })}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
};
