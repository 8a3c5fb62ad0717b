//! Values of Python as JSON: which object, list or text each is, without a copy. Mirrors `keel_ref/messages/rows.py`.

use core::ops::ControlFlow;

use keel_core::text::Text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::string::PyStringData;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PySet, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};

use super::lent::{self, Lent};

/// The text of a string where Python keeps it, which is as long as the string lives.
pub(crate) fn stored<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Text<'a>> {
    // SAFETY: the slice lives as long as `string`, whose storage never changes or moves.
    let storage = unsafe { string.data() }?;
    Ok(match storage {
        // SAFETY: the pointer is that of a live string, and the note in its header is only read.
        PyStringData::Ucs1(points) if unsafe { ffi::PyUnicode_IS_ASCII(string.as_ptr()) != 0 } => Text::Ascii(points),
        PyStringData::Ucs1(points) => Text::OneByte(points),
        PyStringData::Ucs2(points) => Text::TwoByte(points),
        PyStringData::Ucs4(points) => Text::FourByte(points),
    })
}

/// The characters of a string of ASCII; nothing for any other, which so equals no word of ours.
pub(crate) fn word<'a>(value: Option<&'a Bound<'_, PyAny>>) -> PyResult<&'a [u8]> {
    Ok(match value.map(|value| value.cast::<PyString>()) {
        Some(Ok(string)) => match stored(string)? {
            Text::Ascii(bytes) => bytes,
            _ => &[],
        },
        _ => &[],
    })
}

/// An object of JSON, in one of the ways in which Python holds one.
pub(crate) enum Object<'py> {
    /// A plain dict.
    Dict(Bound<'py, PyDict>),
    /// A dict of another class, which may have methods of its own.
    Other(Bound<'py, PyAny>),
    /// An object of a client library. Spec: EST-034.
    Model(Model<'py>),
}

/// An object that keeps its fields by name. Spec: EST-034.
pub(crate) struct Model<'py> {
    held: Bound<'py, PyDict>,
    declared: Bound<'py, PyDict>,
    fields_set: Bound<'py, PySet>,
    extra: Option<Bound<'py, PyDict>>,
}

impl<'py> Object<'py> {
    /// The object that the value is; none for anything else.
    pub(crate) fn of(value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            return Ok(Some(Self::Dict(dict.clone())));
        }
        if is_plain(value) {
            return Ok(None);
        }
        if value.is_instance_of::<PyDict>() {
            return Ok(Some(Self::Other(value.clone())));
        }
        Self::of_model(value)
    }

    fn of_model(value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        let py = value.py();
        let Some(fields_set) = value.getattr_opt(intern!(py, "__pydantic_fields_set__"))? else { return Ok(None) };
        if !fields_set.is_instance_of::<PySet>() || value.is_instance_of::<PyType>() {
            return Ok(None);
        }
        let held = value.getattr_opt(intern!(py, "__dict__"))?;
        let declared = value.get_type().getattr_opt(intern!(py, "__pydantic_fields__"))?;
        let extra = value.getattr_opt(intern!(py, "__pydantic_extra__"))?.filter(|extra| !extra.is_none());
        let held = held.as_ref().map(|held| held.cast_exact::<PyDict>());
        let declared = declared.as_ref().map(|declared| declared.cast_exact::<PyDict>());
        let extra = extra.as_ref().map(|extra| extra.cast_exact::<PyDict>()).transpose();
        if let (Some(Ok(held)), Some(Ok(declared)), Ok(fields_set), Ok(extra)) =
            (held, declared, fields_set.cast_exact::<PySet>(), extra)
        {
            return Ok(Some(Self::Model(Model {
                held: held.clone(),
                declared: declared.clone(),
                fields_set: fields_set.clone(),
                extra: extra.cloned(),
            })));
        }
        let made = py.import("keel_ref.messages.rows")?.call_method1("as_object", (value,))?; // built in another way
        if made.is_none() { Ok(None) } else { Self::of(&made) }
    }

    /// The value behind a key; none where the key is missing.
    pub(crate) fn get(&self, key: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = match self {
            Self::Dict(dict) => dict.get_item(key)?,
            Self::Other(other) => Some(other.call_method1(intern!(other.py(), "get"), (key,))?),
            Self::Model(model) => model.get(key.as_any())?,
        };
        Ok(found.filter(|value| !value.is_none()))
    }

    /// Each key and value in the order of the object, until one of them breaks off.
    pub(crate) fn each<B>(
        &self,
        mut take: impl FnMut(Bound<'py, PyAny>, Bound<'py, PyAny>) -> Result<(), B>,
    ) -> PyResult<ControlFlow<B>> {
        match self {
            Self::Dict(dict) => each_item(dict, |key, value| Ok(take(key, value))),
            Self::Other(other) => {
                for item in other.call_method0(intern!(other.py(), "items"))?.try_iter()? {
                    let (key, value) = item?.extract()?;
                    if let Err(end) = take(key, value) {
                        return Ok(ControlFlow::Break(end));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Self::Model(model) => model.each(take),
        }
    }
}

impl<'py> Model<'py> {
    fn get(&self, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(found) = self.extra.as_ref().map(|extra| extra.get_item(key)).transpose()?.flatten() {
            return Ok(Some(found));
        }
        if self.has_field(key)? { self.held.get_item(key) } else { Ok(None) }
    }

    /// Whether the key is a field of the type that was set. Spec: EST-034.
    fn has_field(&self, key: &Bound<'py, PyAny>) -> PyResult<bool> {
        Ok(self.fields_set.contains(key)? && self.declared.contains(key)? && self.held.contains(key)?)
    }

    fn each<B>(
        &self,
        mut take: impl FnMut(Bound<'py, PyAny>, Bound<'py, PyAny>) -> Result<(), B>,
    ) -> PyResult<ControlFlow<B>> {
        let declared = each_item(&self.declared, |key, _| match self.has_field(&key)?.then(|| self.get(&key)) {
            Some(value) => value?.map_or(Ok(Ok(())), |value| Ok(take(key, value))),
            None => Ok(Ok(())),
        })?;
        let Some(extra) = self.extra.as_ref().filter(|_| declared.is_continue()) else { return Ok(declared) };
        each_item(extra, |key, value| if self.has_field(&key)? { Ok(Ok(())) } else { Ok(take(key, value)) })
    }
}

/// Each key and value of a plain dict. A dict that Python code changes meanwhile is an error, as it is in Python.
fn each_item<'py, B>(
    dict: &Bound<'py, PyDict>,
    mut take: impl FnMut(Bound<'py, PyAny>, Bound<'py, PyAny>) -> PyResult<Result<(), B>>,
) -> PyResult<ControlFlow<B>> {
    let size = dict.len();
    let mut place: ffi::Py_ssize_t = 0;
    loop {
        if dict.len() != size {
            return Err(PyRuntimeError::new_err("dictionary changed size during iteration"));
        }
        let Some((key, value)) = next_item(dict, &mut place) else { return Ok(ControlFlow::Continue(())) };
        if let Err(end) = take(key, value)? {
            return Ok(ControlFlow::Break(end));
        }
    }
}

/// The item of a dict from a place on, held, and the place behind it.
fn next_item<'py>(
    dict: &Bound<'py, PyDict>,
    place: &mut ffi::Py_ssize_t,
) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (mut key, mut value) = (core::ptr::null_mut(), core::ptr::null_mut());
    // SAFETY: the dict is alive, the lock is held, and the three places may be written to. A place of which the dict
    // knows nothing any more is checked there.
    let has_found = unsafe { ffi::PyDict_Next(dict.as_ptr(), place, &raw mut key, &raw mut value) };
    if has_found == 0 {
        return None;
    }
    // SAFETY: the dict has lent a live object, and no Python code has run since.
    let key = unsafe { Bound::from_borrowed_ptr(dict.py(), key) };
    // SAFETY: as above; taking a reference to the key runs no code.
    let value = unsafe { Bound::from_borrowed_ptr(dict.py(), value) };
    Some((key, value))
}

/// A list of JSON: a list or a tuple. Spec: EST-027.
pub(crate) enum Items<'py> {
    /// A plain list, which may grow while Python code runs.
    List(Bound<'py, PyList>),
    /// A plain tuple.
    Tuple(Bound<'py, PyTuple>),
}

impl<'py> Items<'py> {
    /// The list that the value is; none for anything else. One of another class is read as Python would read it.
    pub(crate) fn of(value: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(list) = value.cast_exact::<PyList>() {
            return Ok(Some(Self::List(list.clone())));
        }
        if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            return Ok(Some(Self::Tuple(tuple.clone())));
        }
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            let items = PyList::empty(value.py());
            for item in value.try_iter()? {
                items.append(item?)?;
            }
            return Ok(Some(Self::List(items)));
        }
        Ok(None)
    }

    /// The item at a place; none behind the last.
    pub(crate) fn get(&self, place: usize) -> Option<Bound<'py, PyAny>> {
        match self {
            Self::List(list) => list.get_item(place).ok(),
            Self::Tuple(tuple) => tuple.get_item(place).ok(),
        }
    }

    /// All of them, lent until Python code runs.
    pub(crate) fn lent(&self) -> Option<lent::Items<'_, 'py>> {
        lent::Items::of(match self {
            Self::List(list) => list.as_any().as_borrowed(),
            Self::Tuple(tuple) => tuple.as_any().as_borrowed(),
        })
    }

    /// The item at a place, lent until Python code runs.
    pub(crate) fn lend(&self, place: usize) -> Option<Lent<'_, 'py>> {
        match self {
            Self::List(list) if place < list.len() => {
                // SAFETY: the list is alive and has an item at this place.
                let item = unsafe { ffi::PyList_GET_ITEM(list.as_ptr(), ffi::Py_ssize_t::try_from(place).ok()?) };
                // SAFETY: the item lives as long as the list is not changed.
                Some(unsafe { Lent::from_ptr(list.py(), item) })
            }
            Self::List(_) => None,
            Self::Tuple(tuple) => tuple.get_borrowed_item(place).ok(),
        }
    }

    /// Each item in order.
    pub(crate) fn each(&self) -> impl Iterator<Item = Bound<'py, PyAny>> {
        (0..).map_while(|place| if place < self.len() { self.get(place) } else { None })
    }

    /// How many there are now.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Tuple(tuple) => tuple.len(),
        }
    }
}

/// Whether the value is of a class that is no object of JSON, which most values are.
fn is_plain(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyString>()
        || value.is_exact_instance_of::<PyList>()
        || value.is_none()
        || value.is_exact_instance_of::<PyTuple>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyFloat>()
}
