import { Box, Button, TextField, type TextFieldProps, Typography } from '@mui/material';
import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { api } from '../../api/client.js';
import { type Content, type Field, FIELD, type FieldDescription } from '../../api/posts.js';
import { useObservable } from '../../api/observable.js';
import { Remembered } from '../../api/remembered.js';
import { counted } from '../../texts/texts.js';
import { countWords, directionOf } from '../../texts/words.js';
import { useIsPrinted } from '../../theme/paper.js';
import { BAR_HEIGHT } from '../../theme/theme.js';
import { exactText } from '../../time/dates.js';
import { DAYS, fromInput, toInput, zoneOf } from '../../time/input.js';
import { useTimeZone } from '../../time/time-zone.js';
import { BodyText, UnlessLarge } from '../body-text.js';
import { afterEdit, inTextArea } from './line-ends.js';

export interface FieldInputProps {
  readonly field: Field;
  /** Whether the field gets the focus. It is a line. */
  readonly isFirst: boolean;
  readonly value: string;
  /** The stored value; empty for a new post. */
  readonly original: string;
  readonly fault: string | undefined;
  readonly onChange: (changed: Partial<Content>) => void;
}

/** The input of a field. Rendered again only when its own properties change, because a key changes one field. */
export const FieldInput = memo(function FieldInput(props: FieldInputProps): ReactNode {
  const { field, fault, onChange } = props;
  const { kind, label, isOptional = kind === 'text' } = FIELD[field];
  const Input = INPUTS[kind];
  const input = {
    label,
    name: field,
    required: !isOptional,
    autoComplete: 'off',
    error: fault !== undefined,
    helperText: fault,
  };
  return <Input {...props} input={input} onChange={(value) => onChange({ [field]: value })} />;
});

interface InputProps extends Omit<FieldInputProps, 'onChange'> {
  readonly input: TextFieldProps;
  readonly onChange: (value: string) => void;
}

const INPUTS: Readonly<Record<FieldDescription['kind'], (props: InputProps) => ReactNode>> = {
  line: LineInput,
  moment: MomentInput,
  text: TextInput,
};

/** A line of text, with its length if that has a limit. */
function LineInput({ field, isFirst, value, fault, onChange, input }: InputProps): ReactNode {
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The focus needs the layout, which the next frame makes anyway.
    if (isFirst) requestAnimationFrame(() => element.current?.focus());
  }, [isFirst]);
  const { maxLength = Number.POSITIVE_INFINITY } = FIELD[field];
  const length = Array.from(value).length;
  const count = Number.isFinite(maxLength) && `${length} of ${maxLength} characters`;
  return (
    <TextField
      {...input}
      inputRef={element}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      // A single-line input would drop line breaks, which a title may contain.
      multiline
      onKeyDown={submitOnEnter}
      onPaste={pasteAsLine}
      error={fault !== undefined || length > maxLength}
      helperText={fault ?? count}
      slotProps={{
        input: { inputComponent: LineTextArea, sx: AS_HIGH_AS_ITS_TEXT },
        htmlInput: { dir: 'auto', rows: 1 },
      }}
    />
  );
}

/** A text area with its text around it, invisible, which gives it its height. MUI's own measures it with scripts. */
function LineTextArea(props: ComponentProps<'textarea'>): ReactNode {
  return (
    <span data-text={props.value}>
      <textarea {...props} />
    </span>
  );
}

const AS_HIGH_AS_ITS_TEXT = {
  '& > span': { display: 'grid', flex: 1, minWidth: 0 },
  '& textarea, & > span::after': { gridArea: '1 / 1', overflow: 'hidden', resize: 'none' },
  // The space is for a line break at the end.
  '& > span::after': {
    content: 'attr(data-text) " "',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  },
} as const;

/** Enter sends the form, as in every line: it stores no line break. */
function submitOnEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
}

/** A heading is often copied with its line break, which nobody would see in the title. */
function pasteAsLine(event: ClipboardEvent<HTMLElement>): void {
  const text = event.clipboardData.getData('text');
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  // The only way that keeps the browser's undo.
  document.execCommand('insertText', false, text.trim().replaceAll(/\s*[\r\n]+\s*/g, ' '));
}

/**
 * Date and time in the chosen zone. Below it, the value that the service will store. All digits of the stored date are
 * kept until the user changes the date.
 */
function MomentInput({ field, value, original, fault, onChange, input }: InputProps): ReactNode {
  const chosen = useTimeZone();
  const zone = original === '' ? chosen : zoneOf(original, chosen);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr auto', md: '440px auto' } }}>
      <TextField
        {...input}
        type="datetime-local"
        label={`${FIELD[field].label} (${zone})`}
        // As browsers write it. A half-typed date has no value either, and stays as it is.
        value={toInput(value, zone).replace(/:00$/, '')}
        onChange={({ target }) => onChange(fromInput(target.value, zone, original, value || original))}
        helperText={fault ?? momentHelp(value, original)}
        slotProps={{
          htmlInput: { step: 1, min: `${DAYS.min}T00:00:00`, max: `${DAYS.max}T23:59:59` },
        }}
      />
      <Button
        onClick={() => onChange(`${api.now().toISOString().slice(0, 19)}.000Z`)}
        sx={{ height: 40, justifySelf: 'start' }}
      >
        Now
      </Button>
    </Box>
  );
}

/** Says what the service will store. */
function momentHelp(value: string, original: string): string {
  if (value !== '') return `In UTC: ${exactText(value, 'UTC').replace(' UTC', '')}`;
  return original === ''
    ? 'If empty, the date is the time of saving.'
    : 'If empty, the date does not change.';
}

/** Of a longer text, the direction is that of its first letter: Chromium works out `auto` anew at each key press. */
const LONG_TEXT = 100_000;

/** Whether the body takes the whole height of the window. */
const bodyHeight = new Remembered<'rest' | 'full'>('body-height', 'rest', (height) => height === 'full');

/** Text of any length. */
function TextInput({ value, original, fault, onChange, input }: InputProps): ReactNode {
  const isFull = useObservable(bodyHeight) === 'full';
  const place = useRef<HTMLDivElement>(null);
  const isPrinted = useIsPrinted();
  const isLong = value.length > LONG_TEXT;
  const [firstDirection, setFirstDirection] = useState<'ltr' | 'rtl'>();
  if (isLong && firstDirection === undefined) setFirstDirection(directionOf(value));
  const changeHeight = (): void => {
    bodyHeight.set(isFull ? 'rest' : 'full');
    if (!isFull) requestAnimationFrame(() => scrollBelowBar(place.current));
  };
  return (
    <UnlessLarge body={value}>
      {/* Before the text: from there, Tab goes to the button that saves. */}
      <Button
        size="small"
        aria-pressed={isFull}
        onClick={changeHeight}
        sx={{ alignSelf: 'end', mt: -2.5, mb: -1.5 }}
      >
        Full height
      </Button>
      <TextField
        {...input}
        ref={place}
        multiline
        value={inTextArea(value)}
        onChange={({ target }) => onChange(afterEdit(original, target.value))}
        helperText={fault}
        slotProps={{
          // An auto-growing input would measure the whole text at each key press.
          input: { inputComponent: LongTextArea, sx: { flex: 1, alignItems: 'stretch' } },
          htmlInput: {
            dir: isLong ? firstDirection : 'auto',
            style: { resize: 'vertical', lineHeight: 1.55 },
          },
        }}
        // The rest of the window, so that the sticky bar at the bottom covers nothing.
        sx={{
          flex: '1 0 200px',
          ...(isFull && { minHeight: FULL_HEIGHT }),
          displayPrint: 'none',
        }}
      />
      {/* A text area cannot be divided into pages. */}
      {isPrinted && <BodyText body={value} />}
      <WordCount text={value} />
    </UnlessLarge>
  );
}

/**
 * A text area that takes a value only when it has another one. With `value`, React would copy and compare megabytes several
 * times at each key press.
 */
function LongTextArea({ value = '', ref, ...props }: ComponentProps<'textarea'>): ReactNode {
  const element = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => element.current!, []);
  useLayoutEffect(() => {
    if (element.current!.value !== value) element.current!.value = String(value);
  }, [value]);
  return <textarea {...props} ref={element} />;
}

/** Between the bar and the text, for its label. */
const LABEL_HEIGHT = 16;
/** The window without the bars at its edges, and the line below the text. */
const FULL_HEIGHT = `calc(100dvh - ${BAR_HEIGHT + LABEL_HEIGHT}px - 128px)`;

function scrollBelowBar(element: HTMLElement | null): void {
  const top = element?.getBoundingClientRect().top ?? 0;
  window.scrollBy({ top: top - BAR_HEIGHT - LABEL_HEIGHT });
}

/** A text is counted after a pause in typing, which is longer for a long one: counting 5 MB takes a quarter of a second. */
const COUNT_AFTER_MS = 300;
const CHARACTERS_PER_MS = 1_000;

function WordCount({ text }: { text: string }): ReactNode {
  const [words, setWords] = useState<number>();
  useEffect(() => {
    const pause = COUNT_AFTER_MS + text.length / CHARACTERS_PER_MS;
    const timer = setTimeout(() => setWords(countWords(text)), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Typography variant="caption" color="textSecondary" sx={{ mt: -2, px: 1.75, minHeight: 20 }}>
      {words !== undefined && counted(words, 'word')}
    </Typography>
  );
}
