import type { ButtonHTMLAttributes, ReactElement } from 'react';
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
  /** What it does; shown when pointed at, and read aloud. */
  readonly label: string;
}

export const IconButton = ({ icon, label, className = '', ...rest }: IconButtonProps): ReactElement => (
  <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
);
