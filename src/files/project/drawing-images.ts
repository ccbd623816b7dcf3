import { promises as files } from 'node:fs';
import path from 'node:path';
import { readBounded } from '../../common/file.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { FORM_OF_TODAY } from '../read/convert.ts';
import { imageInfo } from '../symbols/image-size.ts';
import type { ParsedDrawing, ParsedProject } from '../read/parsed.ts';
import { isThere } from './tree.ts';

/** Bytes; base64 in a drawing makes a picture a third larger. */
const MAX_IMAGE = 16 * 1024 * 1024;

/**
 * Maximum of characters in all drawings with pictures: they are in memory together, several times while they are
 * logged.
 */
const MOST_PICTURES = 64 * 1024 * 1024;

/**
 * Replaces names of picture files in drawings by their content. Existing tools store long drawings and pictures in
 * `project-files/images` of the project's directory, and only the file's name in the project file; the format allows
 * content of any length, and this server always writes it. Before revision 5 pictures were in `images` as well. Names
 * without a file stay, with a warning; nothing outside those folders is read.
 */
export const readDrawingImages = async (project: ParsedProject, directory: string): Promise<ParsedProject> => {
  const warnings: string[] = [];
  const drawings: ParsedDrawing[] = [];
  let left = MOST_PICTURES;
  const folders = project.revision < FORM_OF_TODAY ? [IMAGES, 'images'] : [IMAGES];
  for (const drawing of project.drawings) {
    if (!isFileName(drawing.svg)) {
      drawings.push(drawing);
      continue;
    }
    try {
      const svg = left > 0 ? await readSvg(directory, folders, drawing.svg) : '';
      left -= svg.length;
      if (left <= 0) throw conflict(`the pictures of a project may have ${MOST_PICTURES} characters together`);
      drawings.push({ ...drawing, svg });
    } catch (error) {
      drawings.push(drawing);
      warnings.push(`Drawing ${drawing.drawing_id}: the picture ${drawing.svg} cannot be read: ${messageOf(error)}`);
    }
  }
  return { ...project, drawings, warnings: [...project.warnings, ...warnings] };
};

/** SVG text always contains an element. */
const isFileName = (svg: string): boolean => svg !== '' && !svg.includes('<');

const IMAGES = 'project-files/images';

const readSvg = async (directory: string, folders: readonly string[], name: string): Promise<string> => {
  if (name.length > 255 || /[/\\\0]/.test(name) || name === '.' || name === '..') {
    throw conflict(`it is not the name of a file in ${IMAGES}`);
  }
  const [folder = IMAGES] = await foldersWith(directory, folders, name);
  // A link in a foreign project could lead to any file of the server.
  const image = path.join(await imagesOf(directory, folder), name);
  const bytes = await readBounded(image, MAX_IMAGE, { follow: false, called: 'it' });
  const info = imageInfo(bytes);
  if (info === undefined) return svgText(bytes);
  const { type, width, height } = info;
  const size = `width="${width}" height="${height}"`;
  const data = `data:${type};base64,${bytes.toString('base64')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}><image ${size} xlink:href="${data}"/></svg>`;
};

const foldersWith = async (directory: string, folders: readonly string[], name: string): Promise<string[]> => {
  const there = await Promise.all(folders.map((folder) => isThere(path.join(directory, folder, name))));
  return folders.filter((_, index) => there[index]);
};

/** The project's directory may be reached over links, but none may lead out of it. */
const imagesOf = async (directory: string, inside: string): Promise<string> => {
  const folder = path.join(await files.realpath(directory), inside);
  if ((await files.realpath(folder)) !== folder) throw conflict(`${inside} leads to another directory`);
  return folder;
};

const svgText = (bytes: Buffer): string => {
  const text = bytes.toString();
  if (!text.includes('<svg')) throw conflict('it is neither SVG text nor a PNG, GIF or JPEG picture');
  return text;
};
