import { type InputHTMLAttributes, type ReactElement, useEffect, useId, useRef, useState } from 'react';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Its problem, or its purpose. */
  readonly note?: string | undefined;
}

export const TextField = ({ label, value, onChange, note, ...rest }: TextFieldProps): ReactElement => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
      {note !== undefined && (
        <p className="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
};

type TextAreaProps = Pick<TextFieldProps, 'label' | 'value' | 'onChange' | 'required'> & { readonly rows: number };

/** For a text of several lines. */
export const TextAreaField = ({ label, onChange, ...rest }: TextAreaProps): ReactElement => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} onChange={({ target }) => onChange(target.value)} {...rest} />
    </div>
  );
};

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly text: string; readonly isDisabled?: boolean }[];
  readonly disabled?: boolean;
}

export const SelectField = ({ label, value, onChange, options, ...rest }: SelectFieldProps): ReactElement => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
};

interface SwitchFieldProps {
  readonly label: string;
  /** As the record has it. */
  readonly value: boolean;
  /** Asks the server; resolves with false when it refuses. */
  readonly ask: (value: boolean) => Promise<boolean>;
  readonly disabled?: boolean;
}

/** A switch of a record. It shows what was asked for at once, so that a second press takes the first back. */
export const SwitchField = ({ label, value, ask, disabled = false }: SwitchFieldProps): ReactElement => {
  const [asked, setAsked] = useState<boolean | null>(null);
  const last = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => setAsked(null), [value]);
  /** One after the other: requests of a browser can overtake each other. */
  const change = (wanted: boolean): void => {
    setAsked(wanted);
    last.current = last.current.then(async () => {
      if (!(await ask(wanted))) setAsked(null);
    });
  };
  return (
    <label className="row">
      <input
        type="checkbox"
        checked={asked ?? value}
        disabled={disabled}
        onChange={(event) => change(event.target.checked)}
      />
      {label}
    </label>
  );
};
