import { type ReactElement, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../store/notices.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/words.ts';
import { type Images, imagesAt, NO_IMAGES, uploadImage } from '../edit/images.ts';
import { type ControlProps, fieldKeys } from './controls.tsx';
import { useFormScope } from './form-scope.ts';

/** The images that there are, asked for when somebody comes to the field, and one more. */
const useImages = () => {
  const { client, images: place } = useFormScope();
  const [computeId, nodeType] = [place?.computeId ?? '', place?.nodeType ?? ''];
  const [{ images, hasStore }, setImages] = useState<Images>(NO_IMAGES);
  const [problem, setProblem] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (turn === 0) return undefined;
    const ending = new AbortController();
    // Names can be typed where they cannot be listed.
    imagesAt(client, { computeId, nodeType }, ending.signal).then(setImages, () => undefined);
    return () => ending.abort();
  }, [client, computeId, nodeType, turn]);
  const send = (given: File, onSent: () => void): void => {
    setProblem(null);
    uploadImage(client, { computeId, nodeType }, given).then(
      () => {
        setTurn((before) => before + 1);
        onSent();
      },
      (error: unknown) => {
        // People who cancelled an upload need not be told.
        if (!(error instanceof DOMException && error.name === 'AbortError')) setProblem(sentenceOf(error));
      },
    );
  };
  return { images, hasStore, problem, send, want: () => setTurn((before) => Math.max(before, 1)) };
};

/** An image by its name: one that the compute has, or one that is uploaded there. */
export const ImageControl = ({ id, describedBy, editing }: ControlProps): ReactElement => {
  const { images, hasStore, problem, send, want } = useImages();
  const { draft, agreed, isReadOnly } = editing;
  return (
    <>
      <div className="image-field" onFocus={want} onPointerEnter={want}>
        <input
          id={id}
          type="text"
          list={`${id}-images`}
          autoComplete="off"
          spellCheck={false}
          value={typeof draft === 'string' ? draft : ''}
          placeholder={agreed.isMixed ? t('mixed') : t('no image')}
          aria-describedby={describedBy}
          aria-invalid={editing.problem !== null}
          readOnly={isReadOnly}
          onChange={({ target }) => editing.change(target.value)}
          onKeyDown={fieldKeys(editing)}
          onBlur={() => editing.commit()}
        />
        <datalist id={`${id}-images`}>
          {images.map((image) => (
            <option key={image} value={image} />
          ))}
        </datalist>
        {hasStore && (
          <UploadButton isDisabled={isReadOnly} onFile={(given) => send(given, () => editing.commit(given.name))} />
        )}
      </div>
      {problem !== null && (
        <p role="alert" className="problem wrap">
          {problem}
        </p>
      )}
    </>
  );
};

const UploadButton = ({ isDisabled, onFile }: { isDisabled: boolean; onFile: (file: File) => void }): ReactElement => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="upload"
        label={t('Upload an image')}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('Upload an image')}
        onChange={({ target }) => {
          const [given] = target.files ?? [];
          if (given !== undefined) onFile(given);
          target.value = '';
        }}
      />
    </>
  );
};
