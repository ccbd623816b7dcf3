import { type ReactElement, useState } from 'react';
import { type Format, readLabText } from '../../lab-text/lab-text.ts';
import { keep } from '../../projects/transfer.ts';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { printLab, savePng, saveSvg } from './export.ts';

interface Props {
  readonly lab: Lab;
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

const SCALES = [1, 2, 4] as const;

const TEXTS = [
  ['yaml', 'Text (lab.yaml)'],
  ['containerlab', 'containerlab (clab.yml)'],
] as const;

const saveText = async (lab: Lab, format: Format): Promise<void> => {
  const name = lab.state.get().records.project?.name ?? 'lab';
  const { content, fileName } = await readLabText(lab.client, { projectId: lab.projectId, name, format });
  keep(content, fileName);
};

/** The lab as a file, or on paper. */
export const ExportMenu = ({ lab, at, onClose }: Props): ReactElement => {
  const [items] = useState<readonly MenuItem[]>(() => [
    { text: t('SVG'), icon: 'download', onChoose: () => void saveSvg(lab) },
    ...SCALES.map((scale): MenuItem => ({
      text: t('PNG, {scale}×', { scale }),
      icon: 'download',
      onChoose: () => void savePng(lab, scale),
    })),
    ...TEXTS.map(([format, text], index): MenuItem => ({
      text: t(text),
      icon: 'text',
      startsGroup: index === 0,
      onChoose: () => void attempt(() => saveText(lab, format)),
    })),
    { text: t('Print …'), startsGroup: true, onChoose: () => void printLab(lab) },
  ]);
  return <Menu label={t('Export')} at={at} items={items} onClose={onClose} />;
};
