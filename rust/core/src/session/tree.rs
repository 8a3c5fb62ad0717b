//! A value of JSON as a tree, for lines that the fast scan does not take.

use std::collections::HashMap;

/// A value; texts are UTF-8 with each lone surrogate as three bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    /// As it stands in the line.
    Number(&'a [u8]),
    Text(Vec<u8>),
    List(Vec<Value<'a>>),
    Object(Object<'a>),
}

/// An object; each key stands at its first place and has its last value. Spec: EST-033.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Object<'a> {
    members: Vec<(Vec<u8>, Value<'a>)>,
    places: HashMap<Vec<u8>, usize>,
}

impl<'a> Object<'a> {
    /// Adds the member, or gives its key another value.
    pub(super) fn insert(&mut self, key: Vec<u8>, value: Value<'a>) {
        if let Some(place) = self.places.get(&key)
            && let Some(member) = self.members.get_mut(*place)
        {
            member.1 = value;
            return;
        }
        self.places.insert(key.clone(), self.members.len());
        self.members.push((key, value));
    }

    /// The value of the key.
    pub(super) fn get(&self, key: &[u8]) -> Option<&Value<'a>> {
        self.members.get(*self.places.get(key)?).map(|member| &member.1)
    }

    /// The members in order.
    pub(super) fn members(&self) -> &[(Vec<u8>, Value<'a>)] {
        &self.members
    }
}

impl<'a> Value<'a> {
    /// The text that the value is.
    pub(super) fn as_text(&self) -> Option<&[u8]> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The object that the value is.
    pub(super) fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}
