import { type ButtonHTMLAttributes, type ReactElement, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'danger';
  readonly icon?: IconName;
}

export const Button = ({ kind = 'plain', icon, children, className = '', ...rest }: ButtonProps): ReactElement => (
  <button type="button" className={`button ${kind} ${className}`} {...rest}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
);

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** Text for what the button does; shown when pointed at, and read aloud. */
  readonly label: string;
}

export const IconButton = ({ icon, label, className = '', ...rest }: IconButtonProps): ReactElement => (
  <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
);

interface FileButtonProps {
  readonly text: string;
  /** Its purpose, where the text does not say it. */
  readonly about?: string;
  /** Endings; absent: any file. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly isFolder?: boolean;
  readonly kind?: 'plain' | 'primary';
  readonly onFiles: (files: readonly File[]) => void;
}

/** Asks for files of the user's machine. */
export const FileButton = (props: FileButtonProps): ReactElement => {
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
