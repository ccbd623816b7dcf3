import { type ReactElement, useState } from 'react';
import type { Lab } from '../../store/lab.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { printLab, savePng, saveSvg } from './export.ts';

interface Props {
  readonly lab: Lab;
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const SCALES = [1, 2, 4] as const;

/** The lab as a file, or on paper. */
export const ExportMenu = ({ lab, at, onClose }: Props): ReactElement => {
  const [items] = useState<readonly MenuItem[]>(() => [
    { text: t('SVG'), icon: 'download', onChoose: () => void saveSvg(lab) },
    ...SCALES.map((scale): MenuItem => ({
      text: t('PNG, {scale}×', { scale }),
      icon: 'download',
      onChoose: () => void savePng(lab, scale),
    })),
    { text: t('Print …'), startsGroup: true, onChoose: () => void printLab(lab) },
  ]);
  return <Menu label={t('Export')} at={at} items={items} onClose={onClose} />;
};
