import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { type ReactElement, useState } from 'react';
import type { Lab } from '../../store/lab.ts';
import { attempt } from '../../store/notices.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';

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

/** The picture of a lab as the server draws it, now or at the moment that is shown. */
const pictureOf = async (lab: Lab): Promise<string> => {
  const past = lab.past.get();
  const at = past === null ? '' : `?at=${encodeURIComponent(past.moment.at)}`;
  const answer = await lab.client.fetch(`/v2/projects/${lab.projectId}/picture.svg${at}`);
  if (!answer.ok) throw new Error(t('The picture of this lab cannot be read.'));
  return answer.text();
};

const base64Of = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error(t('The picture of this lab cannot be read.'))));
    reader.readAsDataURL(bytes);
  });

/** With the typeface of the page inside: a picture that is drawn has none of the page's. */
const withTypeface = async (svg: string): Promise<string> => {
  const font = await base64Of(await (await fetch(interUrl)).blob());
  const face = `<style>@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(${font})}</style>`;
  return svg.replace('<defs>', `${face}<defs>`);
};

const drawn = async (svg: string): Promise<HTMLImageElement> => {
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await picture.decode();
  return picture;
};

/** A side of what browsers draw onto, pixels. */
const LARGEST = 16_000;

/** On white paper, so many times as large as on the map, or as large as a browser can. */
const pngOf = async (svg: string, scale: number): Promise<Blob> => {
  const picture = await drawn(await withTypeface(svg));
  const fits = Math.min(scale, LARGEST / picture.naturalWidth, LARGEST / picture.naturalHeight);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(picture.naturalWidth * fits);
  canvas.height = Math.ceil(picture.naturalHeight * fits);
  const paper = canvas.getContext('2d');
  if (paper !== null) {
    paper.fillStyle = '#ffffff';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  URL.revokeObjectURL(picture.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((made) => {
      if (made === null) reject(new Error(t('The lab is too large for this browser. Take a smaller scale, or SVG.')));
      else resolve(made);
    }, 'image/png'),
  );
};

const save = (bytes: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
};

const nameOf = (lab: Lab): string => {
  const name = lab.state.get().records.project?.name ?? '';
  return name.replace(/[\p{Cc}/\\:*?"<>|]/gu, '_') || 'lab';
};

const saveSvg = (lab: Lab): Promise<boolean> =>
  attempt(async () => save(new Blob([await pictureOf(lab)], { type: 'image/svg+xml' }), `${nameOf(lab)}.svg`));

const savePng = (lab: Lab, scale: number): Promise<boolean> =>
  attempt(async () => save(await pngOf(await pictureOf(lab), scale), `${nameOf(lab)}.png`));

/** The whole lab on a page, whatever is seen of it on the map. */
const printLab = (lab: Lab): Promise<boolean> =>
  attempt(async () => {
    const picture = await drawn(await withTypeface(await pictureOf(lab)));
    picture.className = 'print-picture';
    picture.alt = '';
    document.body.append(picture);
    const end = (): void => {
      URL.revokeObjectURL(picture.src);
      picture.remove();
    };
    addEventListener('afterprint', end, { once: true });
    print();
  });
